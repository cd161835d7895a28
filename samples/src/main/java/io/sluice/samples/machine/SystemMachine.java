package io.sluice.samples.machine;

import io.sluice.environment.SystemEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.agrona.UnsafeApi;

/** The machine that this process runs on. One thread. */
public final class SystemMachine implements Machine {
    private static final int MAX_LENGTH = 64 * 1024;
    private static final int WRITABLE_BY_OTHERS = 022;
    private static final int STICKY = 01000;
    private static final String INTERNAL_PACKAGE = "jdk.internal.misc";

    private RdmaSurvey rdma;

    /** This machine. */
    public SystemMachine() {
    }

    @Override
    public String property(final String name) {
        return System.getProperty(name, "");
    }

    @Override
    public List<String> jvmFlags() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments();
    }

    @Override
    public boolean isNativeAccessEnabled() {
        return SystemEnvironment.class.getModule().isNativeAccessEnabled();
    }

    @Override
    public boolean isInternalAccessOpen() {
        return Object.class.getModule().isOpen(INTERNAL_PACKAGE, UnsafeApi.class.getModule());
    }

    @Override
    public int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public Optional<String> read(final Path file) {
        try (InputStream stream = Files.newInputStream(file)) {
            return Optional.of(new String(stream.readNBytes(MAX_LENGTH), StandardCharsets.UTF_8));
        } catch (final IOException | SecurityException e) {
            return Optional.empty();
        }
    }

    @Override
    public List<String> names(final Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (final IOException | UncheckedIOException | SecurityException e) {
            return List.of();
        }
    }

    @Override
    public boolean mayUse(final Path path) {
        return Files.isReadable(path) && Files.isWritable(path);
    }

    /** Checks a folder as launching a transport does. */
    @Override
    public String folderProblem(final Path folder) {
        try {
            final Map<String, Object> status =
                Files.readAttributes(folder, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
            if (!status.get("uid").equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
                return "belongs to another user";
            }
            final int mode = (Integer) status.get("mode");
            return (mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0 ? "is writable by others" : "";
        } catch (final IOException | UnsupportedOperationException | SecurityException e) {
            return "";
        }
    }

    @Override
    public OptionalLong usableBytes(final Path folder) {
        try {
            return OptionalLong.of(Files.getFileStore(folder).getUsableSpace());
        } catch (final IOException | SecurityException e) {
            return OptionalLong.empty();
        }
    }

    @Override
    public RdmaSurvey rdma() {
        if (rdma == null) {
            // the provider's classes cannot even be loaded without it
            rdma = isInternalAccessOpen() ? RdmaSurvey.take(SystemEnvironment.instance(), "auto")
                : new RdmaSurvey("", List.of(), "not looked at, because jdk.internal.misc is closed: see above");
        }
        return rdma;
    }
}
