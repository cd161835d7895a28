package io.sluice.transport.simulation;

import io.sluice.transport.Image;
import io.sluice.transport.receive.InboundEpoch;
import io.sluice.transport.receive.ImagePositions;
import io.sluice.transport.receive.InboundLink;

/** The four positions of a link at a subscription, over time and against what was really published and handled. */
final class LinkWatch {
    private final Subscriber subscriber;
    private final Publisher publisher;
    private final InboundLink link;
    private final ImagePositions positions;
    private InboundEpoch epoch;
    private long joinPosition = -1;
    private long received;
    private long walked;
    private long consumed;
    private long reported;

    LinkWatch(final Subscriber subscriber, final Publisher publisher, final InboundLink link) {
        this.subscriber = subscriber;
        this.publisher = publisher;
        this.link = link;
        positions = link.positions();
        received = positions.received();
    }

    InboundLink link() {
        return link;
    }

    void check() {
        if (!positions.isJoined()) {
            return;
        }
        checkOrder();
        checkGrowth();
        checkHandled();
        checkOwed();
        checkBytes();
    }

    private void checkOrder() {
        final long committed = publisher.committedEnd();
        if (Internals.reported(link) > positions.consumed()) {
            fail("reported before consumed");
        }
        if (positions.consumed() > positions.walked()) {
            fail("consumed before walked");
        }
        if (positions.walked() > positions.received()) {
            fail("walked before received");
        }
        if (positions.received() > committed) {
            fail("received before committed");
        }
    }

    /** Reports begin anew with each epoch: whether the last one arrived is not known then. */
    private void checkGrowth() {
        if (link.epoch() != epoch) {
            epoch = link.epoch();
            reported = Internals.reported(link);
        }
        // what is found overwritten is not read, nor has it been received any more
        if (positions.received() < (mayBeReused() ? walked : received) || positions.walked() < walked
            || positions.consumed() < consumed || Internals.reported(link) < reported) {
            fail("a position went back: it was received=" + received + " walked=" + walked + " consumed="
                + consumed + " reported=" + reported + ", and is");
        }
        received = positions.received();
        walked = positions.walked();
        consumed = positions.consumed();
        reported = Internals.reported(link);
    }

    /** Check that nothing counts as consumed that some reader is not done with. */
    private void checkHandled() {
        final ImageRun run = run();
        if (run == null) {
            joinPosition = joinPosition < 0 ? positions.consumed() : joinPosition;
        }
        final long handled = run == null ? joinPosition : run.handledPosition();
        // messages that were overwritten on their way are skipped
        if (positions.consumed() > handled && !mayBeReused()) {
            fail("consumed before handled=" + handled);
        }
    }

    /** The publication writes over nothing that this link has yet to consume, until it has given the link up. */
    private void checkOwed() {
        if (!publisher.hasGivenUp(link)
            && publisher.claimedEnd() > positions.consumed() + publisher.state().log().windowLength()) {
            fail("overwritten before consumed: claimed=" + publisher.claimedEnd());
        }
    }

    /** Check that all that has been received and not been walked is what was published, wherever it lies. */
    private void checkBytes() {
        if (!mayBeReused()) {
            final String wrong =
                publisher.offered().checkFrame(positions.walked(), positions.received(), link.reader().ring());
            if (wrong != null) {
                fail("not in the ring what was received: " + wrong);
            }
        }
    }

    /** Whether the publication may write over what is still to be read. */
    boolean mayBeReused() {
        return subscriber.isLogShared() && publisher.hasGivenUp(link);
    }

    private ImageRun run() {
        final Image image = Internals.image(link);
        return image == null ? null : subscriber.run(image);
    }

    Publisher publisher() {
        return publisher;
    }

    private void fail(final String what) {
        throw new AssertionError(what + " " + this);
    }

    @Override
    public String toString() {
        return subscriber.name() + " received=" + positions.received() + " walked=" + positions.walked()
            + " consumed=" + positions.consumed() + " reported=" + Internals.reported(link) + " committed="
            + publisher.state().log().tail() + (publisher.hasGivenUp(link) ? " given up " : " ") + run();
    }
}
