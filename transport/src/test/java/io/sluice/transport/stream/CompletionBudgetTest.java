package io.sluice.transport.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.DeviceAttributes;
import io.sluice.verbs.Errno;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.software.SoftwareDevice;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionBudgetTest {
    private static final int EACH = 10;
    private static final int AT_THE_START = 8;

    @TempDir
    private Path folder;
    private SoftwareDevice device;
    private ProtectionDomain domain;
    private CompletionBudget budget;
    private final List<Runnable> draining = new ArrayList<>();

    @BeforeEach
    void open() {
        device = SoftwareDevice.open(SystemEnvironment.instance(), folder.resolve("fabric"));
        domain = device.allocateProtectionDomain();
        budget = new CompletionBudget(device, 0, EACH);
        budget.drainedBy(draining::add, Runnable::run);
    }

    @AfterEach
    void close() {
        budget.close();
        domain.close();
        device.close();
    }

    private QueuePair make() {
        final CompletionQueue queue = budget.reserve(0);
        final QueuePair pair =
            domain.createQueuePair(new QueuePairAttributes(queue, queue, 1, 1, 0, 0, 12, 6, 14));
        budget.hold(pair);
        return pair;
    }

    private void destroy(final QueuePair pair) {
        pair.close();
        budget.onDestroyed(pair);
    }

    @Test
    void shouldHaveRoomForAllQueuePairsThatThereAreAndOneMore() {
        final int capacity = budget.queue().capacity();
        final List<QueuePair> pairs = new ArrayList<>();
        for (int i = 0; i < AT_THE_START; i++) {
            pairs.add(make());
        }
        assertEquals(capacity, budget.queue().capacity(), "so many fit from the start");
        for (int i = 1; i < 3 * AT_THE_START; i++) {
            pairs.add(make());
            assertEquals((long) pairs.size() * EACH, budget.reserved());
            assertTrue(budget.queue().capacity() >= budget.reserved(), "it has grown");
        }
        pairs.forEach(this::destroy);
    }

    @Test
    void shouldReckonWithADestroyedQueuePairUntilItsCompletionsAreDrained() {
        final QueuePair pair = make();
        destroy(pair);
        destroy(pair);
        assertEquals(EACH, budget.reserved(), "once");
        draining.removeFirst().run();
        assertEquals(0, budget.reserved());
        assertTrue(draining.isEmpty());
    }

    @Test
    void shouldBeginWithWhatTheDeviceHasWhenThatIsNotRoomForAllOfTheFirst() {
        final int max = device.attributes().maxCompletionQueueEntries();
        try (CompletionBudget large = new CompletionBudget(device, 0, max)) {
            assertEquals(max, large.reserve(0).capacity());
        }
    }

    @Test
    void shouldHaveRoomBesideThatOfLinksThatAreToBeResumed() {
        final QueuePair pair = make();
        budget.reserve(2 * AT_THE_START);
        assertTrue(budget.queue().capacity() >= (2 * AT_THE_START + 2) * EACH, "it has grown");
        destroy(pair);
    }

    @Test
    void shouldRefuseWithTheNumbersWhatTheDeviceHasNoRoomFor() {
        final int max = device.attributes().maxCompletionQueueEntries();
        try (CompletionBudget large = new CompletionBudget(device, 0, max / AT_THE_START)) {
            final List<QueuePair> pairs = new ArrayList<>();
            for (int i = 0; i < AT_THE_START; i++) {
                final CompletionQueue queue = large.reserve(0);
                pairs.add(domain.createQueuePair(new QueuePairAttributes(queue, queue, 1, 1, 0, 0, 12, 6, 14)));
                large.hold(pairs.getLast());
            }
            final VerbsException refused = assertThrows(VerbsException.class, () -> large.reserve(0));
            assertEquals(Errno.ENOMEM, refused.errno());
            assertTrue(refused.getMessage().contains("queuePairs=" + AT_THE_START + " "), refused.getMessage());
            assertTrue(refused.getMessage().contains("needed=" + (max + max / AT_THE_START)), refused.getMessage());
            assertTrue(refused.getMessage().contains("maximum=" + max), refused.getMessage());
            pairs.forEach(QueuePair::close);
        }
    }

    /** Devices as mana, efa and others resize no queue. */
    @Test
    void shouldBeginWithRoomForAllLinksWhereTheDeviceResizesNoQueue() {
        final DeviceAttributes all = device.attributes();
        final DeviceAttributes attributes = new DeviceAttributes(all.maxCompletionQueueEntries(),
            all.maxQueuePairWorkRequests(), all.reliableConnected(), all.maxInlineData(), all.maxMemoryRegionLength(),
            all.completionFields(), all.completionQueueFlags(), false, all.completionVectors(), all.parentDomains(),
            all.maxReadAtomic(), all.maxDestinationReadAtomic(), all.atomics(), all.maxSharedReceiveWorkRequests(),
            all.maxDatagramLength(), all.sharesMemory(), all.capabilities(), all.clock());
        final RdmaDevice fixed = (RdmaDevice) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {RdmaDevice.class}, (proxy, method, arguments) ->
                method.getName().equals("attributes") ? attributes : method.invoke(device, arguments));
        try (CompletionBudget large = new CompletionBudget(fixed, 0, EACH)) {
            final int links = 128;
            assertEquals(2 * links * EACH, large.reserve(2 * links - 1).capacity());
            final VerbsException refused = assertThrows(VerbsException.class, () -> large.reserve(2 * links));
            assertEquals(Errno.EOPNOTSUPP, refused.errno());
            assertTrue(refused.getMessage().contains("the device resizes no completion queue"), refused.getMessage());
        }
    }

    @Test
    void shouldPutALargerQueueInThePlaceOfOneThatHasOverrun() {
        final List<CompletionQueue> replacements = new ArrayList<>();
        budget.whenReplaced(replacements::add);
        final CompletionQueue first = budget.queue();
        final QueuePair pair = make();
        assertTrue(budget.onOverrun(first));
        assertFalse(budget.onOverrun(first), "known");
        final CompletionQueue second = budget.reserve(0);
        assertNotSame(first, second);
        assertEquals(List.of(second), replacements);
        assertEquals(2 * AT_THE_START * EACH, second.capacity());
        assertEquals(0, budget.reserved(), "nothing completes there yet");
        assertFalse(budget.onOverrun(first), "gone");
        budget.closeDead();
        assertEquals(AT_THE_START * EACH, first.capacity(), "a queue pair still uses it");
        destroy(pair);
        assertEquals(0, budget.reserved());
        budget.closeDead();
        assertEquals(Errno.EINVAL, first.startPoll(), "closed");
        assertSame(second, budget.reserve(0));
    }
}
