package io.sluice.environment;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;

/** A second class loader over the same class path, as a second web application or a redeployment has one. */
final class SecondLoader {
    private SecondLoader() {
    }

    /** Run a task whose class, and all that it uses of this module, is the second loader's. */
    @SuppressWarnings("unchecked")
    static void run(final Class<? extends Consumer<Path>> task, final Path argument) throws Exception {
        final URL[] urls = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(SecondLoader::url).toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            final Class<?> loaded = loader.loadClass(task.getName());
            if (loaded == task) {
                throw new AssertionError("not another class: " + task);
            }
            ((Consumer<Path>) loaded.getConstructor().newInstance()).accept(argument);
        }
    }

    private static URL url(final String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (final MalformedURLException e) {
            throw new AssertionError(e);
        }
    }
}
