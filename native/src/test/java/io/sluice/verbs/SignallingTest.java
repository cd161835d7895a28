package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SignallingTest extends VerbsSuite {
    private Endpoint left;
    private Endpoint right;
    private int slots;

    @BeforeEach
    void connect() {
        final Rig.Link link = rig.link(new EndpointOptions().sendWork(8), new EndpointOptions());
        left = link.left();
        right = link.right();
        slots = left.queuePair.attributes().maxSendWork();
    }

    private int write(final long id, final int flags) {
        return left.write(id, flags, 0, 8, right);
    }

    @Test
    void shouldCompleteSignalledRequestsOnly() {
        write(1, WorkFlags.NONE);
        write(2, WorkFlags.NONE);
        write(3, WorkFlags.SIGNALED);
        write(4, WorkFlags.NONE);
        write(5, WorkFlags.SIGNALED);

        assertEquals(3, rig.awaitSuccess(left.sendQueue).workRequestId());
        assertEquals(5, rig.awaitSuccess(left.sendQueue).workRequestId());
        assertEquals(Errno.ENOENT, left.sendQueue.startPoll());
    }

    @Test
    void shouldRefuseWhenTheSendQueueIsFull() {
        rig.assumeHas(DeviceFixture.Ability.HOLDS_SEND_SLOTS);
        for (int i = 0; i < slots; i++) {
            assertEquals(Errno.OK, write(i, WorkFlags.SIGNALED));
        }

        assertEquals(Errno.ENOMEM, write(99, WorkFlags.SIGNALED));

        assertEquals(0, rig.awaitSuccess(left.sendQueue).workRequestId());
        assertEquals(Errno.OK, write(100, WorkFlags.SIGNALED));
        assertEquals(Errno.ENOMEM, write(101, WorkFlags.SIGNALED));
    }

    @Test
    void shouldFreeTheSlotsOfEarlierRequestsWithASignalledOne() {
        rig.assumeHas(DeviceFixture.Ability.HOLDS_SEND_SLOTS);
        for (int i = 0; i < slots - 1; i++) {
            assertEquals(Errno.OK, write(i, WorkFlags.NONE));
        }
        assertEquals(Errno.OK, write(50, WorkFlags.SIGNALED));
        assertEquals(Errno.ENOMEM, write(51, WorkFlags.NONE));

        assertEquals(50, rig.awaitSuccess(left.sendQueue).workRequestId());

        for (int i = 0; i < slots; i++) {
            assertEquals(Errno.OK, write(i, WorkFlags.NONE), "slot " + i);
        }
        assertEquals(Errno.ENOMEM, write(52, WorkFlags.NONE));
    }

    @Test
    void shouldFreeOnlyTheSlotsThatACompletionCovers() {
        rig.assumeHas(DeviceFixture.Ability.HOLDS_SEND_SLOTS);
        assertEquals(Errno.OK, write(1, WorkFlags.SIGNALED));
        for (int i = 1; i < slots; i++) {
            assertEquals(Errno.OK, write(2, WorkFlags.NONE));
        }

        rig.awaitSuccess(left.sendQueue);

        assertEquals(Errno.OK, write(3, WorkFlags.NONE));
        assertEquals(Errno.ENOMEM, write(4, WorkFlags.NONE));
    }

    @Test
    void shouldStayFullForEverWhenNothingIsSignalled() {
        rig.assumeHas(DeviceFixture.Ability.HOLDS_SEND_SLOTS);
        for (int i = 0; i < slots; i++) {
            assertEquals(Errno.OK, write(i, WorkFlags.NONE));
        }

        for (int i = 0; i < 100; i++) {
            assertEquals(Errno.ENOMEM, write(i, WorkFlags.SIGNALED));
            assertEquals(Errno.ENOENT, left.sendQueue.startPoll());
        }
    }

    @Test
    void shouldCompleteAnErrorThatWasNotSignalled() {
        left.queuePair.postWrite(7, WorkFlags.NONE, left.address(0), left.region.localKey(), 8, right.address(-1),
            right.region.remoteKey());

        final Completion failed = rig.await(left.sendQueue);
        assertEquals(7, failed.workRequestId());
        assertEquals(WorkStatus.REM_ACCESS_ERR, failed.status());
    }

    @Test
    void shouldKeepAccountOverManyLaps() {
        for (int i = 0; i < 1000 * slots; i++) {
            final boolean isLast = i % slots == slots - 1;
            assertEquals(Errno.OK, write(i, isLast ? WorkFlags.SIGNALED : WorkFlags.NONE));
            if (isLast) {
                assertEquals(i, rig.awaitSuccess(left.sendQueue).workRequestId());
            }
        }
        assertTrue(slots >= 8);
    }
}
