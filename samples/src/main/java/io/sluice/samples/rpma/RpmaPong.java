package io.sluice.samples.rpma;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Sends every message back as it came, to one ping after the other. One thread runs it.
 */
public final class RpmaPong {
    private static final long ACCEPT_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** The number of idle turns in which the connection is looked at once, which costs more than a turn. */
    private static final int IDLE_TURNS_PER_CHECK = 1024;

    /** Most connections that cannot be made, with no pause between them: the next one could not either. */
    private static final int MAX_FAILURES_IN_A_ROW = 16;

    private final LongFunction<PongLink> listener;
    private final Consumer<String> news;
    private final Consumer<String> errors;
    private int failuresInARow;

    /**
     * One that answers nobody yet.
     *
     * @param listener where pings come to.
     * @param news     told on its thread who came and went, a line each.
     * @param errors   told on its thread whose connection has failed and why, a line each.
     */
    public RpmaPong(final RpmaListener listener, final Consumer<String> news, final Consumer<String> errors) {
        this(listener::accept, news, errors);
    }

    /** A pong with a listener that waits for so many nanoseconds, and returns null when nobody came. */
    RpmaPong(final LongFunction<PongLink> listener, final Consumer<String> news, final Consumer<String> errors) {
        this.listener = listener;
        this.news = news;
        this.errors = errors;
    }

    /**
     * Answer. A ping whose connection fails is given up, and the next one waited for.
     *
     * @param isStopped ends this.
     * @throws RpmaLinkFailure when connections fail one after the other: the device is gone, perhaps.
     */
    public void run(final BooleanSupplier isStopped) {
        while (!isStopped.getAsBoolean()) {
            final PongLink link = accept();
            if (link != null) {
                serve(link, isStopped);
            }
        }
    }

    private PongLink accept() {
        try {
            final PongLink link = listener.apply(ACCEPT_WAIT_NS);
            failuresInARow = 0;
            return link;
        } catch (final RpmaLinkFailure e) {
            if (++failuresInARow == MAX_FAILURES_IN_A_ROW) {
                throw new RpmaLinkFailure(
                    MAX_FAILURES_IN_A_ROW + " connections in a row cannot be made, the last: " + e.getMessage());
            }
            tell(e);
            return null;
        }
    }

    private void serve(final PongLink link, final BooleanSupplier isStopped) {
        try (link) {
            news.accept("ping connected");
            answer(link, isStopped);
            news.accept("ping finished");
        } catch (final RpmaLinkFailure e) {
            tell(e);
        }
    }

    private void tell(final RpmaLinkFailure failure) {
        errors.accept("ping lost: " + failure.getMessage());
    }

    private static void answer(final PongLink link, final BooleanSupplier isStopped) {
        final MessageTaker echo = link::offer;
        int idleTurns = 0;
        while (!isStopped.getAsBoolean()) {
            if (link.poll(echo) == 0) {
                link.idle();
                if (++idleTurns % IDLE_TURNS_PER_CHECK == 0 && !link.isConnected()) {
                    return;
                }
            }
        }
    }
}
