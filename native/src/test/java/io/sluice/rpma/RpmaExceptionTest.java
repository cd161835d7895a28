package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.Errno;
import io.sluice.verbs.foreign.Remedies;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The exception that tells a user that a function has failed, and why. */
class RpmaExceptionTest {
    private ScriptedRpma rpma;

    @BeforeEach
    void open() {
        rpma = new ScriptedRpma();
    }

    @AfterEach
    void close() {
        if (rpma != null) {
            rpma.close();
        }
    }

    private RpmaException failure() {
        return assertThrows(RpmaException.class, () -> rpma.peer.listen("10.0.0.1", "7204"));
    }

    @Test
    void shouldTellTheCallItsArgumentsTheCauseAndTheError() {
        final String text = LogCall.errorText(Errno.EADDRINUSE);
        rpma.fail("rpma_ep_listen", RpmaError.E_PROVIDER, "rdma_bind_addr(addr=10.0.0.1) failed: " + text);

        final RpmaException e = failure();
        assertEquals("rpma_ep_listen: nobody listens on address=10.0.0.1 port=7204: rdma_bind_addr(addr=10.0.0.1)"
            + " failed: " + text + " (RPMA_E_PROVIDER -100002, errno=98 EADDRINUSE)", e.getMessage());
        assertEquals(RpmaError.E_PROVIDER, e.code());
        assertEquals(Errno.EADDRINUSE, e.errno());
    }

    @Test
    void shouldTellWhatItKnowsWhenNothingIsLogged() {
        rpma.answer("rpma_ep_listen", RpmaError.E_PROVIDER);

        final RpmaException e = failure();
        assertEquals("rpma_ep_listen: nobody listens on address=10.0.0.1 port=7204 (RPMA_E_PROVIDER -100002)",
            e.getMessage());
        assertEquals(0, e.errno());
    }

    @Test
    void shouldTellACauseThatIsNoNumber() {
        rpma.fail("rpma_ep_listen", RpmaError.E_INVAL, "Requested completion channel is not there");

        final RpmaException e = failure();
        assertTrue(e.getMessage().contains(": Requested completion channel is not there (RPMA_E_INVAL -100004)"),
            e.getMessage());
        assertEquals(0, e.errno());
    }

    /** A failure before, or in another thread, is no cause of this one. */
    @Test
    void shouldNotTellTheCauseOfAnotherFailure() throws InterruptedException {
        rpma.fail("rpma_srq_new", RpmaError.E_PROVIDER, "ibv_create_srq() failed: " + LogCall.errorText(Errno.EBUSY));
        assertThrows(RpmaException.class,
            () -> rpma.peer.newSharedReceiveQueue(RpmaSharedReceiveQueueConfiguration.DEFAULT));
        rpma.answer("rpma_ep_listen", arguments -> {
            final Thread other = new Thread(() -> rpma.fail("another thread's"));
            other.start();
            join(other);
            return RpmaError.E_PROVIDER;
        });

        final RpmaException e = failure();
        assertEquals(0, e.errno());
        assertTrue(e.getMessage().endsWith("port=7204 (RPMA_E_PROVIDER -100002)"), e.getMessage());
    }

    private static void join(final Thread thread) {
        try {
            thread.join();
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldTellTheLastErrorAndNoWarning() {
        rpma.answer("rpma_ep_listen", arguments -> {
            rpma.log(RpmaLogLevel.ERROR, "first\n");
            rpma.log(RpmaLogLevel.FATAL, "last\n");
            rpma.log(RpmaLogLevel.WARNING, "by the way\n");
            return RpmaError.E_UNKNOWN;
        });

        assertTrue(failure().getMessage().contains("port=7204: last ("), () -> failure().getMessage());
    }

    @ParameterizedTest
    @CsvSource({"1, this user may not use the device", "13, this user may not use the device", "12, memory",
        "19, kernel has", "38, kernel has"})
    void shouldSayWhatToDo(final int errno, final String clause) {
        rpma.fail("rpma_ep_listen", RpmaError.E_PROVIDER, "rdma_create_id() failed: " + LogCall.errorText(errno));

        final RpmaException e = failure();
        assertEquals(errno, e.errno());
        assertTrue(e.getMessage().contains(Remedies.remedy(errno)), e.getMessage());
        assertTrue(e.getMessage().contains(clause), e.getMessage());
    }

    /** Errors that say nothing of how the machine is set up. */
    @ParameterizedTest
    @CsvSource({"5, EIO", "6, ENXIO", "22, EINVAL", "104, ECONNRESET"})
    void shouldNameAnErrorThatThereIsNothingToDoAbout(final int errno, final String name) {
        final String text = LogCall.errorText(errno);
        rpma.fail("rpma_ep_listen", RpmaError.E_PROVIDER, "rdma_create_id() failed: " + text);

        assertEquals("rpma_ep_listen: nobody listens on address=10.0.0.1 port=7204: rdma_create_id() failed: " + text
            + " (RPMA_E_PROVIDER -100002, errno=" + errno + " " + name + ")", failure().getMessage());
    }

    /** The library has not asked the device then, so that nothing is logged. */
    @Test
    void shouldSayWhatToDoWhenTheLibraryHasNoMemory() {
        rpma.answer("rpma_ep_listen", RpmaError.E_NOMEM);

        final RpmaException e = failure();
        assertEquals(RpmaError.E_NOMEM, e.code());
        assertEquals(Errno.ENOMEM, e.errno());
        assertTrue(e.getMessage().contains(Remedies.remedy(Errno.ENOMEM)), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"0, OK 0", "-100000, RPMA_E_UNKNOWN -100000", "-100001, RPMA_E_NOSUPP -100001",
        "-100002, RPMA_E_PROVIDER -100002", "-100003, RPMA_E_NOMEM -100003", "-100004, RPMA_E_INVAL -100004",
        "-100005, RPMA_E_NO_COMPLETION -100005", "-100006, RPMA_E_NO_EVENT -100006",
        "-100007, RPMA_E_AGAIN -100007", "-100008, RPMA_E_SHARED_CHANNEL -100008",
        "-100009, RPMA_E_NOT_SHARED_CHNL -100009", "-100010, unnamed -100010", "5, unnamed 5"})
    void shouldNameErrors(final int code, final String description) {
        assertEquals(description, RpmaError.describe(code));
    }

    @Test
    void shouldTellWhatAUsersLogFunctionThrowsToNobody() {
        rpma.library.messages().function((level, file, line, function, message) -> {
            throw new IllegalStateException("a bug of the user");
        });
        rpma.fail("rpma_ep_listen", RpmaError.E_PROVIDER, "it failed: " + LogCall.errorText(Errno.EBUSY));

        final RpmaException e = failure();
        assertEquals(Errno.EBUSY, e.errno());
        assertFalse(e.getMessage().contains("bug of the user"), e.getMessage());
    }
}
