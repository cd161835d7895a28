package io.sluice.transport.stream;

import io.sluice.environment.Environment;
import io.sluice.transport.buffer.EntryGuard;
import io.sluice.transport.pressure.PressureSignal;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.ImagePoll;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.MessageTimes;
import org.agrona.ErrorHandler;

/**
 * The receiving end of a stream, whatever carries its messages, as subscriptions of the API and the registers of them
 * know it. Any thread may call everything, but for what its making takes. It owns the memory that messages are read
 * from, and frees it some time after {@link #close()}, when nobody is inside the {@link #pollGuard()} any more.
 */
public abstract class SubscriptionEnd {
    private final SubscriptionOptions options;
    private final MessageTimes times;
    private final EntryGuard pollGuard = new EntryGuard();

    /**
     * Creates an end that is open.
     *
     * @param options     that the subscription was added with.
     * @param environment whose clocks tell when its messages come.
     */
    protected SubscriptionEnd(final SubscriptionOptions options, final Environment environment) {
        this.options = options;
        times = options.events().newTimes(environment);
    }

    /** {@return the options that it was added with} */
    public final SubscriptionOptions options() {
        return options;
    }

    /** {@return the times that are noted of its messages} */
    public final MessageTimes times() {
        return times;
    }

    /**
     * The channel's text.
     *
     * @return as added.
     */
    public final String channel() {
        return options.channel();
    }

    /**
     * The number under which the subscription meets publications of its channel.
     *
     * @return the stream id.
     */
    public final int streamId() {
        return options.streamId();
    }

    /** {@return the guard that keeps memory alive while the polling thread is inside} */
    public final EntryGuard pollGuard() {
        return pollGuard;
    }

    /**
     * Sets the listener that is told of images, while the end is made.
     *
     * @param images told on the callback thread.
     */
    public abstract void images(SubscriptionImages images);

    /**
     * Makes the polls of INVOKER mode, while the end is made.
     *
     * @param errorHandler told of what handlers throw.
     * @return polls for the thread that is to poll.
     */
    public abstract ImagePoll newPoll(ErrorHandler errorHandler);

    /**
     * The ring between the poller and the consumers.
     *
     * @return the ring, or null in INVOKER mode.
     */
    public abstract EventRing eventRing();

    /**
     * The consumers that take the messages from the ring in DEDICATED mode.
     *
     * @return the consumers, to be added to while the end is made.
     */
    public abstract SubscriptionConsumers consumers();

    /**
     * Notes which thread polls. That thread, once.
     *
     * @param thread that no other one follows.
     */
    public abstract void polledBy(Thread thread);

    /**
     * Breaks a link of which a message was overwritten before it was handled, or under its handler.
     *
     * @param link that has ended with that message.
     */
    public abstract void endOverwritten(InboundLink link);

    /**
     * The signal of how far the subscription holds its publications up.
     *
     * @return the signal, whose accessors and listener any thread may use.
     */
    public abstract PressureSignal pressure();

    /** Stop handing out messages. Idempotent. */
    public abstract void close();

    /**
     * Whether the subscription was closed, by itself or with its transport: nothing of it may be touched any more.
     *
     * @return true after {@link #close()}.
     */
    public abstract boolean isClosed();

    /**
     * Whether everything was released or abandoned.
     *
     * @return true at the very end.
     */
    public abstract boolean isReleased();
}
