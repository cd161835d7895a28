package io.sluice.transport.kit;

import java.nio.file.Files;
import java.nio.file.Path;

/** The folder of the whole project, below which the build runs the tests of every module. Any thread. */
public final class Checkout {
    private static final String MARK = ".config/checkstyle.xml";

    private Checkout() {
    }

    /** {@return the folder's path} */
    public static Path root() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve(MARK))) {
                return folder;
            }
        }
        throw new IllegalStateException("folder=" + Path.of("").toAbsolutePath() + " none above it has " + MARK);
    }
}
