package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CompletionQueueOverrunTest extends VerbsSuite {
    private static final int CAPACITY = 4;
    /** More than the capacity, so that a device overruns that keeps entries for a running batch. */
    private static final int SURPLUS = CAPACITY + 1;

    @Test
    void shouldRaiseAnEventWhenReceivesOverrun() {
        final CompletionQueue small = rig.queueOnSecond(CAPACITY, null);
        final Rig.Link link = rig.link(new EndpointOptions(),
            new EndpointOptions().queues(rig.queueOnSecond(64, null), small));
        overrunReceives(link, small);

        assertEquals(small, rig.awaitEvent(AsyncEventType.CQ_ERR).queue());
    }

    private static void overrunReceives(final Rig.Link link, final CompletionQueue small) {
        final int count = small.capacity() + SURPLUS;
        assertEquals(Errno.OK, link.right().queuePair.postReceives(1, count));
        for (int i = 0; i < count; i++) {
            assertEquals(Errno.OK, link.left().writeImmediate(i, WorkFlags.NONE, 0, 8, link.right(), i));
        }
    }

    @Test
    void shouldRaiseAnEventWhenSendsOverrun() {
        final CompletionQueue small = rig.queueOnFirst(CAPACITY, null);
        final Rig.Link link = rig.link(
            new EndpointOptions().queues(small, rig.queueOnFirst(64, null)), new EndpointOptions());
        for (int i = 0; i < small.capacity() + SURPLUS; i++) {
            assertEquals(Errno.OK, link.left().write(i, WorkFlags.SIGNALED, 0, 8, link.right()));
        }

        assertEquals(small, rig.awaitEvent(AsyncEventType.CQ_ERR).queue());
    }

    @Test
    void shouldRaiseAnEventWhenSeveralQueuePairsOverrunTogether() {
        final CompletionQueue small = rig.queueOnSecond(CAPACITY, null);
        final CompletionQueue sends = rig.queueOnSecond(64, null);
        for (int i = 0; i < small.capacity() + SURPLUS; i++) {
            final Rig.Link link = rig.link(new EndpointOptions(), new EndpointOptions().queues(sends, small));
            link.right().queuePair.postReceives(1, 1);
            link.left().writeImmediate(i, WorkFlags.NONE, 0, 8, link.right(), i);
        }

        assertEquals(small, rig.awaitEvent(AsyncEventType.CQ_ERR).queue());
    }

    @Test
    void shouldRefuseToBePolledAfterAnOverrun() {
        rig.assumeHas(DeviceFixture.Ability.REFUSES_POLL_AFTER_OVERRUN);
        final CompletionQueue small = rig.queueOnSecond(CAPACITY, null);
        final Rig.Link link = rig.link(new EndpointOptions(),
            new EndpointOptions().queues(rig.queueOnSecond(64, null), small));
        overrunReceives(link, small);

        assertEquals(Errno.EINVAL, small.startPoll(), "the overrun is found by polling, too");
        assertEquals(Errno.EINVAL, small.startPoll());
        assertEquals(Errno.EINVAL, small.requestNotify(false));
        assertEquals(small, rig.awaitEvent(AsyncEventType.CQ_ERR).queue());
    }

    @Test
    void shouldFailTheQueuePairsOfAQueueThatHasOverrun() {
        rig.assumeHas(DeviceFixture.Ability.FAILS_QUEUE_PAIRS_AFTER_OVERRUN);
        final CompletionQueue small = rig.queueOnSecond(CAPACITY, null);
        final CompletionQueue sends = rig.queueOnSecond(64, null);
        final Rig.Link link = rig.link(new EndpointOptions(), new EndpointOptions().queues(sends, small));
        final Rig.Link bystander = rig.link(new EndpointOptions(), new EndpointOptions().queues(sends, small));
        overrunReceives(link, small);
        rig.awaitEvent(AsyncEventType.CQ_ERR);

        rig.awaitState(link.right().queuePair, QueuePairState.ERROR);
        rig.awaitState(bystander.right().queuePair, QueuePairState.ERROR);
    }

    @Test
    void shouldSurviveWhenPolledInTime() {
        final CompletionQueue small = rig.queueOnSecond(CAPACITY, null);
        final Rig.Link link = rig.link(new EndpointOptions(),
            new EndpointOptions().queues(rig.queueOnSecond(64, null), small));
        int next = 0;
        for (int round = 0; round < 200; round++) {
            link.right().queuePair.postReceives(round, CAPACITY);
            for (int i = 0; i < CAPACITY; i++) {
                final int flags = i == CAPACITY - 1 ? WorkFlags.SIGNALED : WorkFlags.NONE;
                assertEquals(Errno.OK, link.left().writeImmediate(i, flags, 0, 8, link.right(), next + i));
            }
            rig.duties();
            for (int i = 0; i < CAPACITY; i++) {
                assertEquals(next++, rig.awaitSuccess(small).immediate());
            }
            rig.awaitSuccess(link.left().sendQueue);
        }
    }

    @Test
    void shouldSurviveAfterBeingResizedInTime() {
        rig.assumeHas(DeviceFixture.Ability.RESIZES);
        final CompletionQueue small = rig.queueOnSecond(CAPACITY, null);
        final Rig.Link link = rig.link(new EndpointOptions(),
            new EndpointOptions().queues(rig.queueOnSecond(64, null), small));
        final int count = small.capacity() + 1;
        small.resize(16);

        link.right().queuePair.postReceives(1, count);
        for (int i = 0; i < count; i++) {
            link.left().writeImmediate(i, WorkFlags.NONE, 0, 8, link.right(), i);
        }

        for (int i = 0; i < count; i++) {
            assertEquals(i, rig.awaitSuccess(small).immediate());
        }
    }

    @Test
    void shouldBeReplacedAfterAnOverrun() {
        final CompletionQueue small = rig.queueOnSecond(CAPACITY, null);
        final CompletionQueue sends = rig.queueOnSecond(64, null);
        final Rig.Link link = rig.link(new EndpointOptions(), new EndpointOptions().queues(sends, small));
        overrunReceives(link, small);
        rig.awaitEvent(AsyncEventType.CQ_ERR);
        link.right().queuePair.close();
        link.left().queuePair.close();

        final CompletionQueue fresh = rig.queueOnSecond(64, null);
        final Rig.Link next = rig.link(new EndpointOptions(), new EndpointOptions().queues(sends, fresh));
        next.right().queuePair.postReceives(1, 1);
        next.left().writeImmediate(1, WorkFlags.SIGNALED, 0, 8, next.right(), 8);

        assertEquals(8, rig.awaitSuccess(fresh).immediate());
    }
}
