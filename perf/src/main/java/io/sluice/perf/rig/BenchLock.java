package io.sluice.perf.rig;

import io.sluice.environment.SharedFiles;
import io.sluice.environment.SystemEnvironment;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The turn of who measures: two measurements of a user at a time would measure each other. Its file is in a folder of
 * the user's own, as nobody else is to find it there first: under a name in a folder for everybody, another user could
 * hold the lock for ever, or have a link to another file in its place. Any thread.
 */
final class BenchLock {
    private BenchLock() {
    }

    /** {@return the file whose lock is the turn, in a folder that exists and is checked to be private} */
    static Path file(final SharedFiles files) throws IOException {
        final Path folder = files.sharedDirectory().resolve("sluice-bench-" + files.userName());
        files.createDirectory(folder);
        return folder.resolve("turn.lock");
    }

    /** {@return the locked file, to be closed when the turn is over} Waits for the turn. */
    static FileChannel take() throws IOException {
        final FileChannel turn = FileChannel.open(
            file(SystemEnvironment.instance().files()), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            turn.lock();
            return turn;
        } catch (final IOException | RuntimeException ex) {
            turn.close();
            throw ex;
        }
    }
}
