package io.sluice.perf.peer;

import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.BufferClaim;
import io.sluice.transport.CompletionMode;
import io.sluice.transport.Configuration;
import io.sluice.transport.Context;
import io.sluice.transport.ControlledFragmentHandler;
import io.sluice.transport.Counter;
import io.sluice.transport.EvictionOptions;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Header;
import io.sluice.transport.Image;
import io.sluice.transport.LinkOptions;
import io.sluice.transport.Publication;
import io.sluice.transport.Quotas;
import io.sluice.transport.Subscription;
import io.sluice.transport.SubscriptionMode;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.TransportCounter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The names of what Sluice has. Stateless; any thread. */
final class SluiceNames {
    /** Keys of channels. */
    static final Set<String> KEYS = keys();
    /** Names of the properties that a context takes its defaults from. */
    static final Set<String> PROPERTIES = ApiNames.texts("_PROP", "sluice.", Configuration.class);

    private static final Path ROOT = Path.of("..");
    private static final List<String> PACKAGES = List.of(
        "io.sluice.transport", "io.sluice.transport.status", "io.sluice.verbs", "org.agrona.concurrent",
        "org.agrona.concurrent.status", "java.lang");
    private static final List<Class<?>> TYPES = List.of(
        Transport.class, Context.class, Publication.class, ExclusivePublication.class, Subscription.class, Image.class,
        Header.class, BufferClaim.class, FragmentHandler.class, ControlledFragmentHandler.Action.class,
        io.sluice.transport.AvailableImageHandler.class, io.sluice.transport.UnavailableImageHandler.class,
        ThreadingMode.class, Timeouts.class, LinkOptions.class, EvictionOptions.class, Quotas.class, Counter.class);
    private static final String RDMA_ADDRESS = "HOST:PORT";

    private SluiceNames() {
    }

    private static Set<String> keys() {
        final Set<String> keys = new TreeSet<>();
        try {
            final Field known = type("ChannelUri").getDeclaredField("KEYS");
            known.setAccessible(true);
            ((List<?>) known.get(null)).forEach(key -> keys.add((String) key));
        } catch (final ReflectiveOperationException e) {
            throw new IllegalStateException("the keys of channels", e);
        }
        return keys;
    }

    private static Class<?> type(final String name) throws ClassNotFoundException {
        return Class.forName("io.sluice.transport." + name);
    }

    static boolean has(final String name) {
        if (name.startsWith("sluice:")) {
            return isChannel(name.replace(RDMA_ADDRESS, "host:1"));
        } else if (name.startsWith("./sluice ")) {
            return commands().contains(name.substring("./sluice ".length()));
        } else if (name.matches("[a-z-]+=[a-z]+")) {
            final String owner = name.startsWith("control-mode=") ? "control=a|" : "";
            return isChannel("sluice:ipc?" + owner + name);
        }
        return KEYS.contains(name) || PROPERTIES.contains(name) || isCounter(name) || isWord(name)
            || name.equals(FragmentHandler.class.getPackageName())
            || ApiNames.has(name, PACKAGES, TYPES);
    }

    /** The value of {@code fc} and of others, alone. */
    private static boolean isWord(final String name) {
        return List.of("min", "max", "tagged").contains(name) && isChannel(
            "sluice:ipc?fc=" + name + (name.equals("tagged") ? ",g:1" : ""));
    }

    private static boolean isCounter(final String name) {
        return Stream.of(TransportCounter.values()).map(TransportCounter::label).anyMatch(name::equals)
            || Stream.of(CounterType.values()).map(CounterType::label).anyMatch(name::equals);
    }

    private static Set<String> commands() {
        final Set<String> commands = new TreeSet<>();
        try {
            Pattern.compile("(?m)^  ([a-z][a-z-]*) +\\S").matcher(Files.readString(ROOT.resolve("sluice"))).results()
                .forEach(command -> commands.add(command.group(1)));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return commands;
    }

    /** Whether a publication and a subscription take the channel. */
    static boolean isChannel(final String text) {
        try {
            final Constructor<?> constructor = type("Channels").getDeclaredConstructor(Context.class);
            constructor.setAccessible(true);
            final Object channels = constructor.newInstance(new Context().environment(SystemEnvironment.instance()));
            final String channel = text.equals("sluice:rdma") ? text + "?endpoint=host:1" : text;
            invoke(channels, "mode", channel, false);
            invoke(channels, "publication", channel, 1);
            invoke(channels, "subscription", channel, 1, SubscriptionMode.DEDICATED, CompletionMode.SPIN);
            return true;
        } catch (final InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException) {
                return false;
            }
            throw new IllegalStateException(text, e);
        } catch (final ReflectiveOperationException e) {
            throw new IllegalStateException(text, e);
        }
    }

    private static void invoke(final Object channels, final String name, final Object... arguments)
        throws ReflectiveOperationException {
        for (final Method method : channels.getClass().getDeclaredMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
                method.setAccessible(true);
                method.invoke(channels, arguments);
                return;
            }
        }
        throw new NoSuchMethodException(name);
    }

    /** Names of the public types of the package that programs use. */
    static Set<String> types() throws IOException, ReflectiveOperationException {
        final Set<String> types = new TreeSet<>();
        try (Stream<Path> files = Files.list(ROOT.resolve("transport/src/main/java/io/sluice/transport"))) {
            for (final Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
                final String name = file.getFileName().toString().replace(".java", "");
                if (!name.equals("package-info") && Modifier.isPublic(type(name).getModifiers())) {
                    types.add(name);
                }
            }
        }
        return types;
    }
}
