package io.sluice.transport.receive;

import java.util.Arrays;

/**
 * The links of a receiver, the active ones first. A poll goes over those only, and so costs the same however many
 * others are attached. A link becomes active with whatever happens to it: a completion, a frame that was found, a
 * command. It stops being active when for some thousands of polls nothing has arrived and nothing is left to be done
 * for it.
 * <p>
 * Polling thread only. Allocates nothing but in {@link #add} and {@link #remove}.
 */
final class AttachedLinks {
    /**
     * The number of links up to which all are active, always: going over one more costs a twelfth of a message on one
     * thread.
     */
    static final int FEW = 2;

    /**
     * Polls between two looks for links that can stop being active: half a millisecond of polls that find nothing. A
     * link with some thousands of messages a second stays active, and one with less costs no poll much.
     */
    static final int SETTLING_POLLS = 4096;

    private static final InboundLink[] NO_LINKS = {};

    private final ExpectedFrames expectedFrames = new ExpectedFrames();
    private InboundLink[] links = NO_LINKS;
    private int activeCount;
    private int next;
    private int polls;
    /** Whether a link that is not active may have maintenance due to an idle polling thread. */
    private boolean isRestDue;

    /** {@return all links, the {@link #activeCount()} active ones first; the next poll may change their order} */
    InboundLink[] all() {
        return links;
    }

    int activeCount() {
        return activeCount;
    }

    /** {@return whether there is one link only, and its next frame all that is waited for} */
    boolean isOneAwaiting() {
        return links.length == 1 && links[0].isAwaiting();
    }

    int inactiveCount() {
        return links.length - activeCount;
    }

    /** Attach a link, which is active. */
    void add(final InboundLink link) {
        final int place = links.length;
        links = Arrays.copyOf(links, place + 1);
        links[place] = link;
        link.place().index = place;
        expectedFrames.add();
        activate(link);
    }

    /** Detach a link, if it is attached. */
    void remove(final InboundLink link) {
        final int place = link.place().index;
        if (place == LinkPlace.NOT_ATTACHED) {
            return;
        }
        final InboundLink[] rest = Arrays.copyOf(links, links.length - 1);
        for (int i = place; i < rest.length; i++) {
            rest[i] = links[i + 1];
            rest[i].place().index = i;
        }
        links = rest;
        expectedFrames.remove(place);
        link.place().index = LinkPlace.NOT_ATTACHED;
        next -= place < next ? 1 : 0;
        activeCount -= place < activeCount ? 1 : 0;
        if (rest.length <= FEW) {
            activeCount = rest.length;
        }
    }

    /**
     * Makes a link active, to which something happened: each poll goes over it from now on. Nothing when it is not
     * attached.
     */
    void activate(final InboundLink link) {
        final int place = link.place().index;
        if (place >= activeCount) {
            swap(place, activeCount);
            activeCount++;
        }
    }

    /**
     * The place of the inactive link whose turn it is; there must be one. Over a round each of them has one turn.
     *
     * @return its place among {@link #all()}.
     */
    int nextInactive() {
        if (next < activeCount || next >= links.length) {
            next = activeCount;
        }
        return next++;
    }

    /** {@return whether the inactive link in a place is to be asked for frames: else it has none} */
    boolean mayHaveFrames(final int place) {
        return expectedFrames.mayBeThere(place);
    }

    /** Notes that a poll is over: now and then, links with which nothing goes on stop being active. */
    void onPolled() {
        if (links.length > FEW && ++polls >= SETTLING_POLLS) {
            polls = 0;
            settle();
        }
    }

    private void settle() {
        for (int i = activeCount - 1; i >= 0; i--) {
            final InboundLink link = links[i];
            final long received = link.positions().received();
            if (received == link.place().receivedBefore && isQuiet(link)) {
                isRestDue |= link.isIdleMaintenanceDue();
                activeCount--;
                swap(i, activeCount);
                expectedFrames.expect(activeCount, link);
            }
            link.place().receivedBefore = received;
        }
    }

    /** Whether a stream is quiet: one whose log is held shows nothing, and shall not wait for its turn as well. */
    private static boolean isQuiet(final InboundLink link) {
        return !link.positions().isPending() && !link.isMaintenanceDue() && !link.logScan().isHeld();
    }

    /** {@return whether a publication may wait for a consumer} */
    boolean isHeldUp() {
        boolean isHeldUp = false;
        for (int i = 0; i < activeCount; i++) {
            isHeldUp |= links[i].isHeldUp();
        }
        return isHeldUp;
    }

    /**
     * {@return whether any link has maintenance due to an idle polling thread: events to reclaim, or something to
     * report}
     */
    boolean isIdleMaintenanceDue() {
        boolean isDue = false;
        for (int i = 0; i < dueCount(); i++) {
            isDue |= links[i].isIdleMaintenanceDue();
        }
        return isDue;
    }

    /**
     * {@return the number of links, the first ones, that may have maintenance due to an idle polling thread, however
     * little}
     */
    int dueCount() {
        return isRestDue ? links.length : activeCount;
    }

    /** Notes that all that could be reported was. */
    void onReported() {
        final int count = dueCount();
        isRestDue = false;
        for (int i = activeCount; i < count; i++) {
            isRestDue |= links[i].isIdleMaintenanceDue();
        }
    }

    private void swap(final int place, final int otherPlace) {
        final InboundLink link = links[place];
        final InboundLink other = links[otherPlace];
        links[place] = other;
        other.place().index = place;
        links[otherPlace] = link;
        link.place().index = otherPlace;
        expectedFrames.swap(place, otherPlace);
    }
}
