package io.sluice.verbs.rdma;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.verbs.CompletionChannel;
import io.sluice.verbs.CompletionQueueAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Epoll;
import io.sluice.verbs.foreign.SystemCalls;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The second example of ibv_get_cq_event(3) without a device: the program waits, for more than the channel. */
class ScriptedChannelTest extends ScriptedManagerTests {
    private static final int TIMEOUT_MS = 30_000;

    private final int own = SystemCalls.newEventDescriptor();
    private CompletionChannel channel;
    private VerbsCompletionQueue queue;

    @BeforeEach
    void createChannel() {
        channel = manager.device.createCompletionChannel();
        queue = (VerbsCompletionQueue) manager.device.createCompletionQueue(
            new CompletionQueueAttributes(1, 0, channel).withContext(this));
        manager.libraries.answer("ibv_get_cq_event", arguments -> {
            SystemCalls.clear(manager.completionDescriptor);
            ((MemorySegment) arguments[1]).reinterpret(Long.BYTES).set(JAVA_LONG, 0, queue.handle);
            return 0;
        });
    }

    @AfterEach
    void closeDescriptor() {
        SystemCalls.close(own);
    }

    @Test
    void shouldWaitWithEpollBesideAnotherDescriptor() {
        assertEquals(manager.completionDescriptor, channel.descriptor());
        try (Epoll epoll = new Epoll(own, channel.descriptor())) {
            assertEquals(Set.of(), epoll.await(0));
            SystemCalls.signal(own);
            assertEquals(Set.of(own), epoll.await(TIMEOUT_MS));

            SystemCalls.signal(manager.completionDescriptor);
            assertEquals(Set.of(own, channel.descriptor()), epoll.await(TIMEOUT_MS));
            SystemCalls.clear(own);
            assertEquals(Set.of(channel.descriptor()), epoll.await(TIMEOUT_MS));
            assertSame(queue, channel.getEvent(0));
            assertSame(this, queue.context());
            queue.acknowledgeEvents(1);

            assertEquals(Set.of(), epoll.await(0));
        }
    }

    @Test
    void shouldNotBeReadableWhenWoken() {
        try (Epoll epoll = new Epoll(channel.descriptor())) {
            channel.wake();

            assertEquals(Set.of(), epoll.await(0));
        }
    }

    @Test
    void shouldGiveNoDescriptorWhenClosed() {
        queue.close();
        channel.close();

        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, channel::descriptor).errno());
    }
}
