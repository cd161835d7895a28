package io.sluice.samples;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/**
 * Provides the lines of {@code --version}: Sluice's version, which the build wrote down, and the JVM's.
 */
final class VersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        final Properties build = new Properties();
        try (InputStream file = VersionProvider.class.getResourceAsStream("version.properties")) {
            build.load(file);
        }
        return new String[]{"sluice " + build.getProperty("version"), jvm()};
    }

    static String jvm() {
        return System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") + ", "
            + System.getProperty("os.name") + " " + System.getProperty("os.arch");
    }
}
