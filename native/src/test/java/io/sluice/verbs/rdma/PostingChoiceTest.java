package io.sluice.verbs.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ChildJvm;
import io.sluice.verbs.WorkFlags;
import java.io.EOFException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The devices that are posted to by plain calls, and that they are. */
class PostingChoiceTest {
    private static final int SOFT_ROCE = 0xff_ffff;
    private static final int MELLANOX = 0x2c9;

    @ParameterizedTest
    @CsvSource({
        "0xffffff, soft-RoCE (rdma_rxe)", "0x626d74, soft-iWARP (siw)",
        "0x1175, 'InfiniPath and Omni-Path (qib, hfi1)'"})
    void shouldKnowWherePostingIsASystemCall(final String vendor, final String name) {
        final PostingChoice choice = PostingChoice.of(null, Integer.decode(vendor));

        assertTrue(choice.areSendsPlain());
        assertEquals("plain calls: it is a system call on " + name, choice.describe());
    }

    /** Numbers of Huawei, Alibaba, Microsoft and Broadcom: hns, erdma, mana and bnxt; and of nobody that is known. */
    @ParameterizedTest
    @ValueSource(ints = {0x19e5, 0x1ded, 0x1414, 0x14e4, 0, 0x1234})
    void shouldKnowWhereEveryCallMayWaitForASystemCall(final int vendor) {
        final PostingChoice choice = PostingChoice.of(null, vendor);

        assertTrue(choice.areSendsPlain());
        assertTrue(choice.areAllPlain());
        assertTrue(choice.describe().startsWith("plain calls: "), choice.describe());
    }

    @Test
    void shouldTakeOtherDevicesForHardware() {
        final PostingChoice choice = PostingChoice.of(null, MELLANOX);

        assertFalse(choice.areSendsPlain());
        assertFalse(PostingChoice.of(null, SOFT_ROCE).areAllPlain());
        assertEquals("critical calls: it is a few stores into the device's memory", choice.describe());
    }

    /** Polls would wait for a lock that is held in a system call, whatever somebody says of posts. */
    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void shouldKeepCallsPlainThatWaitForSystemCalls(final String asked) {
        assertEquals(PostingChoice.of(null, 0x1ded), PostingChoice.of(asked, 0x1ded));
        assertEquals(PostingChoice.of(null, 0x1414), PostingChoice.of(asked, 0x1414));
        final int unread = 0x4242;
        assertTrue(PostingChoice.of(asked, unread).areAllPlain());
        assertTrue(PostingChoice.of(asked, DeviceVendor.QEDR).areAllPlain());
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void shouldKeepPostsInErrorPlainWhereTheyAreSystemCalls(final String asked) {
        assertTrue(PostingChoice.of(asked, 0x8086).whenFailed());
        assertFalse(PostingChoice.of(asked, MELLANOX).whenFailed());
    }

    @ParameterizedTest
    @ValueSource(ints = {SOFT_ROCE, MELLANOX})
    void shouldDoAsItIsTold(final int vendor) {
        assertFalse(PostingChoice.of("false", vendor).areSendsPlain());
        assertTrue(PostingChoice.of("true", vendor).areSendsPlain());
        assertTrue(PostingChoice.of("true", vendor).describe().contains(PostingChoice.SYSTEM_CALL_PROP_NAME));
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "", "TRUE"})
    void shouldRefuseAnotherWord(final String word) {
        assertEquals("unknown value: " + PostingChoice.SYSTEM_CALL_PROP_NAME + "=" + word + " known=true,false",
            assertThrows(IllegalArgumentException.class, () -> PostingChoice.of(word, MELLANOX)).getMessage());
    }

    /** A function that is called by a plain call may call Java; the JVM aborts when it was a critical one. */
    @Test
    void shouldLinkThePostAccordingly() throws IOException {
        try (ChildJvm softRoce = start(SOFT_ROCE); ChildJvm hardware = start(MELLANOX)) {
            assertEquals(Poster.DONE, softRoce.readLine());
            assertThrows(EOFException.class, () -> awaitDone(hardware));
        }
    }

    private static ChildJvm start(final int vendor) throws IOException {
        return ChildJvm.start(
            Poster.class, "-XX:ErrorFile=/dev/null", "-XX:-CreateCoredumpOnCrash", Integer.toString(vendor));
    }

    /** Pass over whatever a JVM says as it aborts. */
    private static void awaitDone(final ChildJvm child) throws IOException {
        String line;
        do {
            line = child.readLine();
        } while (!Poster.DONE.equals(line));
    }

    /** Posts to a device whose functions are Java. */
    static final class Poster {
        static final String DONE = "posted";

        private Poster() {
        }

        public static void main(final String[] arguments) {
            final boolean isSystemCall = PostingChoice.of(null, Integer.parseInt(arguments[0])).areSendsPlain();
            try (ScriptedQueuePair device = new ScriptedQueuePair()) {
                new SendWork(device.sendFunction(), device.address(), 0, isSystemCall)
                    .post(SendPoster.RDMA_WRITE, 1, WorkFlags.NONE, 0, 0, 0, 0, 0, 0);
            }
            System.out.println(DONE);
        }
    }
}
