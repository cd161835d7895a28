package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.LibraryVersion;
import org.junit.jupiter.api.Test;

class CompletionChoiceTest {
    private static final LibraryVersion OLD = new LibraryVersion(44, 0);
    private static final LibraryVersion REPAIRED = new LibraryVersion(55, 0);

    @Test
    void shouldPreferTheExtendedInterface() {
        assertEquals(CompletionInterface.EXTENDED,
            CompletionChoice.of(CompletionInterface.AUTO, false, OLD, true, true).chosen());
        assertEquals(CompletionInterface.EXTENDED,
            CompletionChoice.of(CompletionInterface.AUTO, true, REPAIRED, true, false).chosen());
    }

    @Test
    void shouldAvoidTheBrokenOneOfSoftRoce() {
        final CompletionChoice choice = CompletionChoice.of(CompletionInterface.AUTO, true, OLD, true, false);

        assertEquals(CompletionInterface.LEGACY, choice.chosen());
        assertTrue(choice.reason().contains("before rdma-core 55, and this is 44.0"), choice.reason());
    }

    @Test
    void shouldNotTrustAVersionThatItDoesNotKnow() {
        assertEquals(CompletionInterface.LEGACY,
            CompletionChoice.of(CompletionInterface.AUTO, true, LibraryVersion.UNKNOWN, true, false).chosen());
    }

    /** Messages would be lost otherwise: the self-test in the lab shows it. */
    @Test
    void shouldRefuseTheBrokenOneOfSoftRoceByName() {
        final VerbsException e = assertThrows(VerbsException.class, () ->
            CompletionChoice.of(CompletionInterface.EXTENDED, true, OLD, true, false));
        assertEquals(Errno.EOPNOTSUPP, e.errno());
        assertTrue(e.getMessage().startsWith("ibv_create_cq_ex: soft-RoCE's extended completion queues lose count"
            + " before rdma-core 55, and this is 44.0: use LEGACY or AUTO"), e.getMessage());
    }

    @Test
    void shouldDoAsItIsTold() {
        assertEquals(CompletionInterface.EXTENDED,
            CompletionChoice.of(CompletionInterface.EXTENDED, true, REPAIRED, true, false).chosen());
        assertEquals(CompletionInterface.EXTENDED,
            CompletionChoice.of(CompletionInterface.EXTENDED, true, LibraryVersion.UNKNOWN, true, false).chosen());
        assertEquals(CompletionInterface.LEGACY,
            CompletionChoice.of(CompletionInterface.LEGACY, false, REPAIRED, true, true).chosen());
    }

    @Test
    void shouldFallBackWhereThereIsNoExtendedOne() {
        assertEquals(CompletionInterface.LEGACY,
            CompletionChoice.of(CompletionInterface.AUTO, false, REPAIRED, false, false).chosen());
        assertEquals(Errno.EOPNOTSUPP, assertThrows(VerbsException.class, () ->
            CompletionChoice.of(CompletionInterface.EXTENDED, false, REPAIRED, false, false)).errno());
    }

    /** The lock of a batch is one that posts and closes take: they would wait for Java. */
    @Test
    void shouldNotHoldALockWhileJavaRuns() {
        final CompletionChoice choice = CompletionChoice.of(CompletionInterface.AUTO, false, REPAIRED, true, false);
        assertEquals(CompletionInterface.LEGACY, choice.chosen());
        assertTrue(choice.reason().contains("hold a lock until a batch ends"), choice.reason());
        assertEquals(Errno.EOPNOTSUPP, assertThrows(VerbsException.class, () ->
            CompletionChoice.of(CompletionInterface.EXTENDED, false, REPAIRED, true, false)).errno());
    }
}
