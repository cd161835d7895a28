package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The descriptors by which waiting threads are woken: this process has as many afterwards as before. */
class RpmaDescriptorsTest {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");
    private static final Path EVENT_DESCRIPTOR = Path.of("anon_inode:[eventfd]");
    private static final RpmaConnectionConfiguration TWO_QUEUES =
        RpmaConnectionConfiguration.DEFAULT.withReceiveCompletionQueueSize(5);

    private ScriptedRpma rpma;
    private long before;

    @BeforeEach
    void open() {
        rpma = new ScriptedRpma();
        // instead of one for each queue, so that the script opens none on the way
        rpma.answer("rpma_cq_get_fd", this::tellDescriptor);
        before = descriptors();
    }

    @AfterEach
    void close() {
        if (rpma != null) {
            rpma.close();
        }
    }

    private long tellDescriptor(final Object[] call) {
        ScriptedRpma.write(call[1], rpma.channelDescriptor);
        return RpmaError.OK;
    }

    private static long descriptors() {
        try (Stream<Path> files = Files.list(OPEN_FILES)) {
            return files.filter(RpmaDescriptorsTest::isEventDescriptor).count();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isEventDescriptor(final Path file) {
        try {
            return Files.readSymbolicLink(file).equals(EVENT_DESCRIPTOR);
        } catch (final NoSuchFileException e) {
            // that of the folder itself, or one that another thread has closed
            return false;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RpmaConnectionConfiguration configuration(final boolean isShared) {
        return TWO_QUEUES.withSharedCompletionChannel(isShared);
    }

    @ParameterizedTest
    @CsvSource({"false, 3", "true, 2"})
    void shouldTakeOneForEachWaitAndGiveItBack(final boolean isShared, final int waits) {
        final RpmaConnection connection = rpma.connect(configuration(isShared));
        assertEquals(before + waits, descriptors());

        connection.close();

        assertEquals(before, descriptors());
    }

    @ParameterizedTest
    @CsvSource({
        "rpma_conn_get_event_fd, 1, false", "rpma_conn_get_cq, 1, false", "rpma_cq_get_fd, 1, false",
        "rpma_conn_get_rcq, 1, false", "rpma_cq_get_fd, 2, false", "rpma_conn_get_cq, 1, true",
        "rpma_cq_get_fd, 2, true", "rpma_conn_get_compl_fd, 1, true"})
    void shouldGiveThemBackWhenAConnectionCannotBeUsed(
        final String function, final int failing, final boolean isShared) {
        final ScriptedRpma.Answer answer = rpma.answer(function);
        rpma.answer(function, call -> rpma.count(function) < failing ? answer.call(call) : rpma.fail("no"));

        assertThrows(RpmaException.class, () -> rpma.connect(configuration(isShared)));

        assertEquals(before, descriptors());
        assertEquals(1, rpma.count("rpma_conn_delete"));
        rpma.peer.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rpma_srq_get_rcq", "rpma_cq_get_fd"})
    void shouldGiveThemBackWhenASharedReceiveQueueCannotBeUsed(final String function) {
        rpma.fail(function, RpmaError.E_PROVIDER, "no");

        assertThrows(RpmaException.class,
            () -> rpma.peer.newSharedReceiveQueue(new RpmaSharedReceiveQueueConfiguration(8, 8)));

        assertEquals(before, descriptors());
    }

    @Test
    void shouldGiveThemBackWhenAnEndpointCannotBeUsed() {
        rpma.fail("rpma_ep_get_fd", RpmaError.E_PROVIDER, "no");

        assertThrows(RpmaException.class, () -> rpma.peer.listen(ScriptedRpma.ADDRESS_TEXT, ScriptedRpma.PORT));

        assertEquals(before, descriptors());
    }
}
