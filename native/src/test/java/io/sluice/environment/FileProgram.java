package io.sluice.environment;

import java.nio.file.Path;

/** Creates as many files as it is told to, or says why it cannot. */
final class FileProgram {
    /** The length of the zeros that files are written with: each costs as much memory as any can. */
    private static final long LENGTH = 256 * 1024;

    private FileProgram() {
    }

    public static void main(final String[] arguments) {
        final Path directory = Path.of(arguments[0]);
        final int count = Integer.parseInt(arguments[1]);
        final SharedFiles files = SystemEnvironment.instance().files();
        try {
            files.createDirectory(directory);
            for (int i = 0; i < count; i++) {
                final Path file = directory.resolve("file" + i);
                files.create(file, LENGTH).close();
                files.delete(file);
            }
            System.out.println("done");
        } catch (final Throwable t) {
            System.out.println(t);
        }
    }
}
