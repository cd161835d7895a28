package io.sluice.perf.peer;

import io.aeron.Aeron;
import io.aeron.ChannelUri;
import io.aeron.CommonContext;
import io.aeron.driver.MaxMulticastFlowControl;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.MinMulticastFlowControl;
import io.aeron.driver.TaggedMulticastFlowControl;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;

/** The names of what Aeron has. Stateless; any thread. */
final class AeronNames {
    /** Keys of channels. */
    static final Set<String> KEYS = ApiNames.texts("_PARAM_NAME", "", CommonContext.class);

    private static final List<String> PACKAGES =
        List.of("io.aeron", "io.aeron.logbuffer", "io.aeron.exceptions", "io.aeron.driver");
    private static final List<Class<?>> TYPES = List.of(
        Aeron.class, Aeron.Context.class, CommonContext.class, MediaDriver.Context.class, io.aeron.Publication.class,
        io.aeron.ExclusivePublication.class, io.aeron.Subscription.class, io.aeron.Image.class,
        io.aeron.logbuffer.Header.class, io.aeron.logbuffer.BufferClaim.class,
        io.aeron.logbuffer.FragmentHandler.class, io.aeron.logbuffer.ControlledFragmentHandler.Action.class,
        io.aeron.AvailableImageHandler.class, io.aeron.UnavailableImageHandler.class, io.aeron.Counter.class);
    private static final Set<String> PROPERTIES =
        properties(CommonContext.class, Aeron.Configuration.class, io.aeron.driver.Configuration.class);
    private static final Set<String> WORDS = Set.of(MinMulticastFlowControl.FC_PARAM_VALUE,
        MaxMulticastFlowControl.FC_PARAM_VALUE, TaggedMulticastFlowControl.FC_PARAM_VALUE, CommonContext.SPY_PREFIX);
    /** Programs of its samples, which are no dependency of ours. */
    private static final Set<String> TOOLS =
        Set.of("AeronStat", "ErrorStat", "BacklogStat", "StreamStat", "LossStat", "DriverTool");

    private AeronNames() {
    }

    /** Names of the system properties that some types have constants for. */
    static Set<String> properties(final Class<?>... types) {
        return ApiNames.texts("_PROP_NAME", "aeron.", types);
    }

    static boolean has(final String name) {
        if (name.startsWith("aeron:")) {
            return isChannel(name);
        }
        return PROPERTIES.contains(name) || KEYS.contains(name) || WORDS.contains(name) || TOOLS.contains(name)
            || ApiNames.has(name, PACKAGES, TYPES);
    }

    private static boolean isChannel(final String text) {
        final ChannelUri uri = ChannelUri.parse(text);
        return List.of(CommonContext.IPC_MEDIA, CommonContext.UDP_MEDIA).contains(uri.media())
            && (text.indexOf('?') < 0 || uri.get(CommonContext.ENDPOINT_PARAM_NAME) != null);
    }

    /** Names of the public types that a program may see first: those of the package of {@link Aeron}. */
    static Set<String> types() throws IOException, ReflectiveOperationException {
        final Set<String> types = new TreeSet<>();
        final String jar = Path.of(java.net.URI.create(
            Aeron.class.getProtectionDomain().getCodeSource().getLocation().toString())).toString();
        try (JarFile file = new JarFile(jar)) {
            for (final String entry : file.stream().map(Object::toString).toList()) {
                if (entry.matches("io/aeron/\\w+\\.class") && Modifier.isPublic(
                    Class.forName(entry.replace('/', '.').replace(".class", "")).getModifiers())) {
                    types.add(entry.replaceAll("io/aeron/(\\w+)\\.class", "$1"));
                }
            }
        }
        return types;
    }
}
