package io.sluice.transport.harness;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;

/**
 * Takes all descriptors that this process may still open, and gives them back. What it is to do without them must not
 * depend on which of its classes it has met before, so the files that those come from are open first. One thread.
 */
final class Descriptors {
    private static final String FILE = "/dev/null";
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");

    private final List<FileInputStream> taken = new ArrayList<>();

    /** {@return the number of descriptors that were taken, until there were no more} */
    int takeAll() {
        while (true) {
            try {
                taken.add(new FileInputStream(FILE));
            } catch (final IOException ex) {
                return taken.size();
            }
        }
    }

    /**
     * {@return the number of entries of the class path that are still not open} The class loader opens a file of
     * classes when it looks into it for the first time, and never closes it; a folder has to be opened for each class.
     */
    long openClasses() throws IOException {
        // whoever looks for all of them looks into each file
        ClassLoader.getSystemClassLoader().resources("META-INF/MANIFEST.MF").count();
        final List<Path> open = new ArrayList<>();
        try (DirectoryStream<Path> links = Files.newDirectoryStream(OPEN_FILES)) {
            for (final Path link : links) {
                try {
                    // of a pipe it is no path
                    open.add(Files.readSymbolicLink(link));
                } catch (final NoSuchFileException ex) {
                    // another thread has closed it; none closes a file of classes
                    continue;
                }
            }
        }
        long count = 0;
        for (final String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            count += open.contains(Path.of(entry).toRealPath()) ? 0 : 1;
        }
        return count;
    }

    void giveBack() {
        CloseHelper.closeAll(taken);
        taken.clear();
    }
}
