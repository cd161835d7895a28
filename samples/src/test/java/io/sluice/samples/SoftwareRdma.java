package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;

/**
 * The software device in the place of all verbs devices, for programs over {@code sluice:rdma} on a machine without
 * one. Programs have no way to choose it, and need none: a class path that begins with these classes has another
 * {@code RdmaDevices} than the one of Sluice, and the program stays as it is.
 */
final class SoftwareRdma {
    /** The part of the class that the transport calls. */
    private static final String SOURCE = """
        package io.sluice.verbs.rdma;

        import io.sluice.environment.Environment;
        import io.sluice.verbs.RdmaDevice;
        import io.sluice.verbs.software.SoftwareDevice;
        import java.nio.file.Path;

        public final class RdmaDevices {
            public static String localAddress(Environment environment, String address, boolean isOwn) {
                return "";
            }

            public static RdmaDevice open(Environment environment, RdmaDeviceOptions options) {
                return SoftwareDevice.open(environment, Path.of(System.getProperty("sluice.dir")));
            }
        }
        """;

    private SoftwareRdma() {
    }

    /** Compile it; {@return the folder of its classes} */
    static Path compile(final Path folder) throws IOException {
        final Path source = Files.writeString(folder.resolve("RdmaDevices.java"), SOURCE);
        final Path classes = folder.resolve("software-rdma");
        final StringWriter output = new StringWriter();
        final PrintWriter writer = new PrintWriter(output);
        assertEquals(0, ToolProvider.findFirst("javac").orElseThrow().run(writer, writer,
            "-proc:none", "-cp", System.getProperty("java.class.path"), "-d", classes.toString(), source.toString()),
            output::toString);
        return classes;
    }
}
