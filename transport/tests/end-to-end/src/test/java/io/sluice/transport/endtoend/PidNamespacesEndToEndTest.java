package io.sluice.transport.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.Reports;
import io.sluice.transport.harness.TestMedium;
import io.sluice.transport.kit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes with PID namespaces of their own that share a folder, as containers with one {@code /dev/shm} do. Each of
 * them has the process id 1, none can ask whether another one lives, and in the third case the {@code /proc} that they
 * see is not theirs.
 */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class PidNamespacesEndToEndTest {
    /** The process is killed with the command that waits for it. */
    private static final List<String> NEW_NAMESPACE = List.of("unshare", "--pid", "--fork", "--kill-child");
    private static final String OWN_PROC = "--mount-proc";
    private static final String WITHOUT_NATIVE_ACCESS = "--mount-proc --illegal-native-access=deny";
    private static final String PROC_OF_THE_HOST = "";
    private static final String FOLDER_OF_PROCESS_1 = "(status/)?1-[0-9a-f]+";
    private static final int ENOUGH = 500;

    @RegisterExtension
    private final Fabric fabric = new Fabric();

    @BeforeEach
    void assume() throws Exception {
        TestMedium.assumeIpc();
        final List<String> command = new ArrayList<>(NEW_NAMESPACE);
        command.addAll(List.of(OWN_PROC, "true"));
        final Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (final IOException e) {
            abort("needs unshare: " + e.getMessage());
            return;
        }
        final String text = new String(process.getInputStream().readAllBytes());
        assumeTrue(process.waitFor() == 0, "needs PID namespaces, which only root can make: " + text);
    }

    private ChildJvm start(final String name, final String namespace) {
        final List<String> command = new ArrayList<>(NEW_NAMESPACE);
        final List<String> flags = new ArrayList<>();
        for (final String option : namespace.split(" ")) {
            if (option.equals(OWN_PROC)) {
                command.add(option);
            } else if (!option.isEmpty()) {
                flags.add(option);
            }
        }
        return fabric.startBy(command, name, flags.toArray(String[]::new));
    }

    /** The folders of devices and of transports' counters. */
    private Set<String> folders() {
        final Set<String> found = new HashSet<>();
        for (final String parent : List.of("", "status/")) {
            try (Stream<Path> entries = Files.list(fabric.directory().resolve(parent))) {
                entries.map(entry -> parent + entry.getFileName()).filter(name -> name.matches("(status/)?[0-9]+-.+"))
                    .forEach(found::add);
            } catch (final NoSuchFileException e) {
                continue;
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return found;
    }

    private Set<String> foldersSince(final Set<String> before) {
        final Set<String> found = folders();
        found.removeAll(before);
        assertEquals(2, found.size(), () -> "of one device and of one transport: " + found);
        return found;
    }

    private void assertThere(final Set<String> owned) {
        final Set<String> there = folders();
        assertTrue(there.containsAll(owned), () -> "folders of the living: there=" + there + " theirs=" + owned);
    }

    private static long messages(final ChildJvm subscriber) {
        return subscriber.ask("state name=s", "STATE name=s").number("messages");
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN_PROC, WITHOUT_NATIVE_ACCESS, PROC_OF_THE_HOST})
    void shouldNoticeAKilledPublisherOfAnotherNamespaceAndLeaveTheLivingAlone(final String namespace) {
        final String channel = " channel=" + fabric.channel("window=256k") + " stream=1";
        final ChildJvm subscriber = start("subscriber", namespace);
        final Set<String> living = foldersSince(Set.of());
        subscriber.ask("subscribe name=s" + channel, "OK");
        for (int round = 0; round < 2; round++) {
            final Set<String> before = folders();
            final ChildJvm publisher = start("publisher" + round, namespace);
            final Set<String> published = foldersSince(before);
            assertTrue(published.stream().allMatch(name -> name.matches(FOLDER_OF_PROCESS_1)), published::toString);
            publisher.ask("publish lengths=mix name=p" + round + " id=" + round + channel, "OK");
            subscriber.await("AVAILABLE index=" + round);
            subscriber.awaitMessages("s", messages(subscriber) + ENOUGH);

            // whoever starts removes what it takes for dead
            start("neighbour" + round, namespace).exit();
            fabric.start("host" + round).exit();
            assertThere(living);
            assertThere(published);
            subscriber.awaitMessages("s", messages(subscriber) + ENOUGH);

            publisher.kill();
            subscriber.await("UNAVAILABLE end=false index=" + round);
            final ChildJvm next = round == 0 ? start("next" + round, namespace) : fabric.start("next" + round);
            Await.until("the killed one's folders to be removed: " + published,
                () -> folders().stream().noneMatch(published::contains));
            assertThere(living);
            next.exit();
        }
        subscriber.exit();
        assertEquals(Set.of(), folders());
        for (int round = 0; round < 2; round++) {
            assertTrue(Reports.assertRuns(fabric, "p" + round, "s") >= ENOUGH);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN_PROC, WITHOUT_NATIVE_ACCESS, PROC_OF_THE_HOST})
    void shouldNoticeAKilledSubscriberOfAnotherNamespace(final String namespace) {
        final String channel = " channel=" + fabric.channel("window=256k") + " stream=1";
        final ChildJvm publisher = start("publisher", namespace);
        final Set<String> living = foldersSince(Set.of());
        publisher.ask("publish lengths=mix name=p id=1" + channel, "OK");
        final ChildJvm subscriber = start("subscriber", namespace);
        final Set<String> subscribed = folders();
        subscribed.removeAll(living);
        subscriber.ask("subscribe name=s" + channel, "OK");
        subscriber.awaitMessages("s", ENOUGH);

        subscriber.kill();
        publisher.awaitCounter("subscribers-lost", 1);
        Await.until("the publisher to be disconnected",
            () -> !publisher.ask("state name=p", "STATE name=p").flag("connected"));
        start("next", namespace).exit();

        assertTrue(folders().stream().noneMatch(subscribed::contains), () -> folders().toString());
        assertThere(living);
        publisher.exit();
        assertTrue(Reports.assertRuns(fabric, "p", "s") >= ENOUGH);
    }
}
