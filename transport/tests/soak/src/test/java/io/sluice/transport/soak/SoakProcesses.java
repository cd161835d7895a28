package io.sluice.transport.soak;

import io.sluice.transport.harness.ChildJvm;
import io.sluice.transport.harness.Fabric;
import io.sluice.transport.harness.HostileMain;
import io.sluice.transport.kit.KeyFile;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Starts the processes of a soak, which share a key, and strangers with another one. The soak's thread.
 */
final class SoakProcesses {
    private static final String KEY = "what all processes of a soak but one know";
    private static final String OTHER_KEY = "what a stranger takes for the key of the soak";
    private static final List<String> PROPERTIES = List.of(
        "sluice.heartbeat.interval=200ms",
        "sluice.liveness.timeout=" + SoakSettings.LIVENESS_MS + "ms",
        "sluice.resume.timeout=" + SoakSettings.RESUME_MS + "ms");
    /** The address that peers come from over {@code sluice:rdma}, which is not on the list. */
    private static final String FOREIGN_HOST = "test.stranger.host=198.51.100.7";
    private static final String ALLOWED = "sluice.allowed.peers=10.0.0.0/8";

    private final Fabric fabric;
    private final Path keyFile;
    private final Path otherKeyFile;
    private int strangers;

    /**
     * Creates it without a process.
     *
     * @param fabric where they meet, and which ends them.
     */
    SoakProcesses(final Fabric fabric) {
        this.fabric = fabric;
        keyFile = KeyFile.of(fabric.journals(), KEY);
        otherKeyFile = KeyFile.of(fabric.journals(), OTHER_KEY);
    }

    /** Start one that says READY when its transport is up. */
    ChildJvm launch(final String name, final String... more) {
        return launch(
            name, keyFile, Stream.concat(Stream.of("test.hook=true", FOREIGN_HOST, ALLOWED), Stream.of(more)));
    }

    /** Start one with the key whose address is not on the list of the others. */
    ChildJvm launchForeigner() {
        return launch("stranger" + ++strangers, keyFile, Stream.of(FOREIGN_HOST));
    }

    /** Start one that means harm to those who listen under a name. */
    ChildJvm launchHostile(final String service, final long seed) {
        return fabric.startMain("stranger" + ++strangers, HostileMain.class, "test.key.file=" + keyFile,
            "test.service=" + service, "test.seed=" + (seed + strangers));
    }

    /** Start one that nobody may deal with. */
    ChildJvm launchStranger() {
        return launch("stranger" + ++strangers, otherKeyFile, Stream.empty());
    }

    private ChildJvm launch(final String name, final Path key, final Stream<String> more) {
        return fabric.launch(name, Stream.of(PROPERTIES.stream(), Stream.of("sluice.psk.file=" + key), more)
            .flatMap(properties -> properties).toArray(String[]::new));
    }
}
