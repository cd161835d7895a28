package io.sluice.environment;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A second class loader over the same classes, as a second web application or a redeployment has one. */
final class SecondLoader {
    private SecondLoader() {
    }

    /** Run a task whose class, and all that it uses of this module, is the second loader's. */
    @SuppressWarnings("unchecked")
    static void run(final Class<? extends Consumer<Path>> task, final Path argument) throws Exception {
        final URL[] urls = TestClasses.paths().stream().map(SecondLoader::url).toArray(URL[]::new);
        try (URLClassLoader loader = new OwnClasses(urls)) {
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

    /** Asks itself first: the platform's loader knows the classes of modules, whoever has loaded them. */
    private static final class OwnClasses extends URLClassLoader {
        private OwnClasses(final URL[] urls) {
            super(urls, ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> loadClass(final String name, final boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("io.sluice.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                final Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }
}
