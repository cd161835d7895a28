package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.environment.MappedMemory;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.Remedies;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queues that are not made in the end, whose files are unmapped: threads may know a queue pair from another queue. */
class UnmadeQueuesTest {
    private static final int NUMBER = 77;

    private final TemporaryFabric fabric = new TemporaryFabric();
    private final SoftwareLink link = SoftwareLink.open(SystemEnvironment.instance(), fabric.path());
    private QueuePairAttributes attributes;
    private MappedMemory memory;

    @BeforeEach
    void createFile() throws IOException {
        attributes = attributes(link.leftSends);
        memory = link.left.context().newFile(FabricNames.queuePair(NUMBER), ReceiveQueue.fileLength(attributes));
    }

    @AfterEach
    void close() {
        memory.close();
        link.close();
        fabric.close();
    }

    private QueuePairAttributes attributes(final CompletionQueue sends) {
        return new QueuePairAttributes(
            sends, link.leftSends, SoftwareLink.WORK, SoftwareLink.WORK, 64, 0, 12, 6, 14);
    }

    private SoftwareQueuePair create(final QueuePairAttributes asked) {
        return new SoftwareQueuePair(link.left.context(), ((SoftwareProtectionDomain) link.leftDomain).contents(),
            NUMBER, asked, memory, (pair, guards) -> { });
    }

    @Test
    void shouldNotTouchTheFileOfAQueuePairThatIsWithdrawn() {
        final SoftwareQueuePair pair = create(attributes);
        pair.withdraw();

        pair.fail();

        assertEquals(QueuePairLayout.CLOSED, QueuePairLayout.state(memory.address()));
        assertEquals(0, pair.whileMapped(() -> 1));
    }

    @Test
    void shouldWithdrawAQueuePairThatOneOfItsQueuesDoesNotTake() {
        final CompletionQueue closed = link.newQueue(link.left);
        closed.close();

        assertThrows(VerbsException.class, () -> create(attributes(closed)));

        assertEquals(QueuePairLayout.CLOSED, QueuePairLayout.state(memory.address()));
    }

    @Test
    void shouldLeaveNothingOfASharedReceiveQueueThatIsMadeWhileTheDeviceGoes() {
        final DeviceContext device = link.left.context();
        final DeviceObjects objects = new DeviceObjects(device);
        objects.releaseAll();
        final DomainContents domain = ((SoftwareProtectionDomain) link.leftDomain).contents();
        final int number = device.newNumber() + 1;

        assertEquals(Remedies.ENODEV, assertThrows(VerbsException.class,
            () -> new QueueFactory(device, objects).createSharedReceiveQueue(domain, 1)).errno());

        assertFalse(device.hasFile(FabricNames.sharedReceiveQueue(number)));
    }
}
