package io.sluice.samples.learn;

import io.sluice.transport.ControlledFragmentHandler;
import io.sluice.transport.ControlledFragmentHandler.Action;
import io.sluice.transport.Header;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Sample 3: a handler that says what becomes of each message. A store takes two messages before it must be emptied;
 * one for which it has no room is aborted, and comes again.
 */
public final class Sample3ControlledPoll implements ControlledFragmentHandler {
    private static final String CHANNEL = "sluice:ipc?endpoint=sample-3";
    private static final int STREAM_ID = 10;
    private static final int MESSAGES = 5;
    private static final int ROOM = 2;

    private int stored;
    private int handled;

    private Sample3ControlledPoll() {
    }

    @Override
    public Action onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header) {
        final int number = buffer.getInt(offset);
        if (stored == ROOM) {
            return Action.ABORT; // the poll ends, and the next one begins with this message
        }
        stored++;
        handled++;
        System.out.println("stored " + number);
        // COMMIT counts it as consumed at once, CONTINUE when the poll ends; BREAK ends the poll, and consumes it
        return Action.COMMIT;
    }

    private void emptyWhenFull() {
        if (stored == ROOM) {
            stored = 0;
            System.out.println("emptied");
        }
    }

    private static void publish(final Publication publication) {
        final MutableDirectBuffer message = new ExpandableArrayBuffer();
        for (int i = 1; i <= MESSAGES; i++) {
            message.putInt(0, i);
            while (publication.offer(message, 0, Integer.BYTES) < 0) {
                Thread.onSpinWait();
            }
        }
    }

    /**
     * Run it.
     *
     * @param args none.
     */
    public static void main(final String[] args) {
        final Sample3ControlledPoll store = new Sample3ControlledPoll();
        try (Transport transport = Transport.launch();
            Subscription subscription = transport.addSubscription(CHANNEL, STREAM_ID);
            Publication publication = transport.addExclusivePublication(CHANNEL, STREAM_ID)) {
            publish(publication);
            while (store.handled < MESSAGES) {
                subscription.controlledPoll(store, MESSAGES);
                store.emptyWhenFull();
            }
        }
    }
}
