package io.sluice.transport.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.os.OpenFiles;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import io.sluice.transport.stub.ManualEnvironment;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureNewsTest {
    private static final String SUBJECT = "cannot connect to 10.77.0.2:40123";
    private static final int ENODATA = 61;
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Calls of a handler of errors, and of what calls one without asking whether it is news. */
    private static final Pattern TELLING =
        Pattern.compile("\\b(?<!attempts[.])(?<!void )(onError(?=\\([a-z])|reportError|reportOnce)\\(");

    private final ManualEnvironment environment = new ManualEnvironment();
    private final List<Throwable> told = new ArrayList<>();
    private final List<Throwable> repeated = new ArrayList<>();
    private boolean hasRoom = true;
    private final FailureNews news =
        new FailureNews(environment::nanoTime, error -> hasRoom && told.add(error), repeated::add);

    private void tell(final String subject, final Throwable caught) {
        news.tellCaught(subject, caught,
            TransportErrors.of(ErrorKind.LINK_FAILED, subject, caught, UnaryOperator.identity()));
    }

    private void fail(final String subject, final String text) {
        tell(subject, new IllegalStateException(text));
    }

    @Test
    void shouldTellOnceWhatGoesOnFailingAndCountTheRest() {
        final int attempts = 1_000;
        for (int i = 0; i < attempts; i++) {
            fail(SUBJECT, "no answer in time");
            environment.advance(RETRY_NS);
        }
        assertEquals(1, told.size());
        assertEquals(attempts - 1, repeated.size());
        repeated.forEach(each -> assertSame(told.getFirst(), each));
    }

    @Test
    void shouldTellAgainWhatHasBeenAwayForAMinute() {
        fail(SUBJECT, "no answer in time");
        environment.advance(FailureNews.QUIET_NS - 1);
        fail(SUBJECT, "no answer in time");
        assertEquals(1, told.size());
        environment.advance(FailureNews.QUIET_NS);
        fail(SUBJECT, "no answer in time");
        assertEquals(2, told.size());
    }

    @Test
    void shouldTellAgainWhatHasWorkedInBetween() {
        fail(SUBJECT, "no answer in time");
        fail("another", "no answer in time");
        news.recovered(SUBJECT);
        fail(SUBJECT, "no answer in time");
        fail("another", "no answer in time");
        assertEquals(3, told.size());
        news.recoveredAll("cannot connect to ");
        fail(SUBJECT, "no answer in time");
        fail("another", "no answer in time");
        assertEquals(4, told.size());
    }

    @Test
    void shouldTellBothOfTwoFailuresThatTakeTurns() {
        for (int i = 0; i < 10; i++) {
            fail(SUBJECT, "no answer in time");
            fail(SUBJECT, "rejected");
        }
        assertEquals(2, told.size());
    }

    /** A class that calls an error handler by itself tells of the same thing again and again. */
    @Test
    void shouldBeTheOneGateOfWhatTheControlPlaneTells() throws IOException {
        final List<String> telling = new ArrayList<>();
        for (final String room : List.of("agent", "conductor", "monitor", "peer", "pressure", "settings", "stream")) {
            try (Stream<Path> files = Files.list(Path.of("src/main/java/io/sluice/transport", room))) {
                for (final Path file : files.sorted().toList()) {
                    final String name = file.getFileName().toString().replace(".java", "");
                    TELLING.matcher(Files.readString(file)).results().map(call -> name + " " + call.group(1))
                        .distinct().forEach(telling::add);
                }
            }
        }
        // of a consumer or subscription, which then is no more, or that a failure is over
        assertEquals(List.of("Failures reportError", "Failures reportOnce", "Listeners reportError",
            "Listeners onError", "TaskAgent onError", "RemovedFiles reportOnce", "PollingThread reportOnce",
            "SlowConsumers reportOnce"), telling);
    }

    private void assertSameKind(final boolean isSame, final String first, final String second) {
        fail(SUBJECT, first);
        fail(SUBJECT, second);
        assertEquals(isSame ? 1 : 2, told.size(), () -> first + "; " + second);
    }

    @ParameterizedTest
    @CsvSource({
        "peer 10.77.0.2:40123 is gone, peer 10.77.0.2:51234 is gone",
        "peer [fd01::2]:40123 is gone, peer [fd01::2]:51234 is gone",
        "[fd01::2]:40123: connection reset, [fd01::2]:51234: connection reset",
        "silent for 1200345 ns, silent for 1300123 ns",
        "queuePairs=64 needed=4096, queuePairs=63 needed=4032",
        "another transport answered: 3f00ab12cd34ef5600ab12cd34ef56aa, another transport answered: "
            + "aaaaab12cd34ef5600ab12cd34ef5601",
        "cannot write c00ab12, cannot write cfe9a01"
    })
    void shouldTakeFailuresForTheSameThatDifferInPortsCountsOrIdentifiers(final String first, final String second) {
        assertSameKind(true, first, second);
    }

    @ParameterizedTest
    @CsvSource({
        "from gid 1 ::ffff:10.77.0.1, from gid 1 ::ffff:10.77.0.9",
        "to gid fe80::5054:ff:fe12:3456, to gid fe80::5054:ff:fe12:3457",
        "from 10.77.0.1 to 10.77.0.2:40123, from 10.88.0.1 to 10.77.0.2:40123",
        "errno=61 ENODATA, errno=110 ETIMEDOUT",
        "errno=524, errno=525",
        "device rxe0 port 1 gid 3 fe80::1 to gid fe80::2, device rxe0 port 1 gid 4 fe80::1 to gid fe80::2",
        "device rxe0 port 1 gid 0 (none), device rxe0 port 1 gid 1 (none)",
        "gid=3 is not in the table of port 1, gid=4 is not in the table of port 1",
        "port 1 of device rxe0 is not active, port 2 of device rxe0 is not active",
        "device rxe0 port 1 to lid 5, device rxe0 port 1 to lid 6",
        "'fe80::1 of port 1, partition 0x8001', 'fe80::1 of port 1, partition 0x8002'",
        "rejected by the connection manager: reason 8 NONE, rejected by the connection manager: reason 9 NONE",
        "device rxe0 is gone, device rxe1 is gone"
    })
    void shouldTellAgainWhenAnAddressAGidItsIndexOrAReasonChanges(final String first, final String second) {
        assertSameKind(false, first, second);
    }

    @Test
    void shouldTellErrorsApartByTheirNumbers() {
        tell(SUBJECT, new VerbsException("ibv_modify_qp", ENODATA, "no"));
        tell(SUBJECT, new VerbsException("ibv_modify_qp", ENODATA, "no"));
        tell(SUBJECT, new VerbsException("ibv_modify_qp", Errno.EINVAL, "no"));
        assertEquals(3, told.size() + repeated.size());
        assertNotEquals(1, told.size());
    }

    @Test
    void shouldForgetTheFailureSeenLongestAgoWhenThereAreTooMany() {
        fail("first", "no");
        for (int i = 1; i < FailureNews.MAX_REMEMBERED; i++) {
            fail("other " + i, "no");
        }
        fail("first", "no");
        assertEquals(FailureNews.MAX_REMEMBERED, told.size());
        fail("one more", "no");
        fail("first", "no");
        assertEquals(FailureNews.MAX_REMEMBERED + 1, told.size());
        fail("other 1", "no");
        assertEquals(FailureNews.MAX_REMEMBERED + 2, told.size());
    }

    @Test
    void shouldTellLaterWhatTheApplicationHadNoRoomToHear() {
        hasRoom = false;
        fail(SUBJECT, "no");
        hasRoom = true;
        fail(SUBJECT, "no");
        fail(SUBJECT, "no");
        assertEquals(1, told.size());
        assertEquals(1, repeated.size());
    }

    /** A want of descriptors is one failure of this process, whatever it was that could not be opened. */
    @Test
    void shouldTellOnceThatThereAreNoDescriptorsWithTheLimitAndWhatToDo() {
        tell("cannot accept", new VerbsException(
            "rdma_get_request", 0, "cannot accept", new IOException("Too many open files")));
        tell("cannot look", new VerbsException("ibv_get_device_list", Errno.EACCES, "cannot list",
            new FileSystemException("/dev/shm", null, "Too many open files")));
        tell("cannot open", new VerbsException("eventfd", Errno.EMFILE, "no descriptor"));
        assertEquals(1, told.size(), told::toString);
        final String text = told.getFirst().getMessage();
        assertEquals(ErrorKind.RESOURCES, ((TransportException) told.getFirst()).kind());
        for (final String part : List.of("24 EMFILE", "limit is " + OpenFiles.limit(), "ulimit -n", "cannot accept")) {
            assertTrue(text.contains(part), text);
        }
        tell("cannot open", new IOException("Too many open files in system"));
        assertEquals(2, told.size(), told::toString);
        assertTrue(told.getLast().getMessage().contains("23 ENFILE"), told.getLast().getMessage());
        assertTrue(told.getLast().getMessage().contains("fs.file-max"), told.getLast().getMessage());
    }
}
