package io.sluice.transport;

import io.sluice.environment.Environment;
import io.sluice.transport.agent.TaskAgent;
import io.sluice.transport.peer.HostNames;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.agrona.LangUtil;

/**
 * Publications and subscriptions that are being added for who must not wait: on the set-up agent, which may. Each is
 * kept until it is asked for when it is there. Any thread.
 */
final class AsyncAdds {
    /**
     * The most adds at once that were not taken: more than a transport has counters for, so that only a program that
     * never asks comes near. Each keeps what was added from being collected.
     */
    static final int MAX_WAITING = 16_384;

    /** Something that is being added, and what has become of it. */
    private static final class Command {
        private final Class<?> type;
        private Object added;
        private Throwable failure;

        Command(final Class<?> type) {
            this.type = type;
        }
    }

    private final Environment environment;
    private final TaskAgent setup;
    private final Map<Long, Command> commands = new HashMap<>();
    private long lastId;
    private IllegalStateException closed;

    AsyncAdds(final Environment environment, final TaskAgent setup) {
        this.environment = environment;
        this.setup = setup;
    }

    /**
     * Begin to add something.
     *
     * @param channel whose host may be a name.
     * @param type    of what is added.
     * @param adding  adds it, and may block, but for the name of the host, which has been looked up.
     * @return the number by which it is asked for.
     * @throws IllegalArgumentException when the channel is malformed.
     * @throws IllegalStateException    when it is closed, or {@link #MAX_WAITING} were not taken.
     */
    <T> long add(final String channel, final Class<T> type, final Supplier<T> adding) {
        final ChannelUri uri = ChannelUri.parse(channel);
        final Command command = new Command(type);
        final long id = put(command);
        HostNames.whenLookedUp(environment, uri.isRdma() ? Media.address(uri) : "",
            () -> setup.submit(() -> run(command, adding)));
        return id;
    }

    private synchronized long put(final Command command) {
        if (closed != null) {
            throw closed;
        }
        if (commands.size() >= MAX_WAITING) {
            throw new IllegalStateException("too many adds wait to be taken: waiting=" + commands.size() + " maximum="
                + MAX_WAITING + "; get each by its number");
        }
        commands.put(++lastId, command);
        return lastId;
    }

    private void run(final Command command, final Supplier<?> adding) {
        Object added = null;
        Throwable failure = null;
        try {
            added = adding.get();
        } catch (final Throwable ex) {
            failure = ex;
        }
        synchronized (this) {
            // given up where the transport has been closed meanwhile, and what was added with it
            if (command.failure == null) {
                command.added = added;
                command.failure = failure;
            }
        }
    }

    /**
     * Take what was added, once.
     *
     * @param id   that {@link #add} returned.
     * @param type of what is expected.
     * @return what was added, or null while it is not there.
     * @throws IllegalArgumentException when nothing of that type has that number, or it was taken.
     */
    synchronized <T> T take(final long id, final Class<T> type) {
        final Command command = commands.get(id);
        if (command == null || command.type != type) {
            throw new IllegalArgumentException("nothing is being added under that number: registrationId=" + id
                + " type=" + type.getSimpleName());
        }
        if (command.added != null || command.failure != null) {
            commands.remove(id);
        }
        if (command.failure != null) {
            LangUtil.rethrowUnchecked(command.failure);
        }
        return type.cast(command.added);
    }

    /** Give up what is not there yet, and refuse what comes: nobody adds it any more. */
    synchronized void close(final IllegalStateException why) {
        closed = why;
        for (final Command command : commands.values()) {
            if (command.added == null && command.failure == null) {
                command.failure = why;
            }
        }
    }
}
