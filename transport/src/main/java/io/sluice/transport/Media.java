package io.sluice.transport;

import io.sluice.transport.connection.Conductor;
import io.sluice.transport.connection.Medium;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.rdma.CompletionInterface;
import io.sluice.verbs.rdma.PostingInterface;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.agrona.CloseHelper;

/**
 * The devices that a transport's channels use: the context's own for {@code sluice:ipc}, and those of
 * {@code sluice:rdma}, each opened when the first channel asks for it and kept until the transport closes. Under the
 * transport's lock.
 */
final class Media implements AutoCloseable {
    private static final int MAX_PORT = 254;
    private static final int MAX_GID = 255;
    private static final List<String> COMPLETION_INTERFACES = List.of("auto", "extended", "legacy");

    private record Opened(RdmaDevice device, ProtectionDomain domain, Medium medium) {
    }

    private final Context context;
    private final Conductor conductor;
    private final Map<RdmaDeviceOptions, Opened> opened = new HashMap<>();

    Media(final Context context, final Conductor conductor) {
        this.context = context;
        this.conductor = conductor;
    }

    /**
     * The medium of a channel.
     *
     * @throws io.sluice.verbs.VerbsException when there is no such device, or it cannot be used.
     */
    Medium of(final String channel) {
        final ChannelUri uri = ChannelUri.parse(channel);
        return uri.isRdma() ? opened.computeIfAbsent(options(uri), this::open).medium() : conductor.ipc();
    }

    private static RdmaDeviceOptions options(final ChannelUri uri) {
        final String device = uri.value(ChannelUri.DEVICE);
        return new RdmaDeviceOptions(
            device == null ? "" : device,
            uri.intValue(ChannelUri.PORT, 1, 1, MAX_PORT),
            uri.intValue(ChannelUri.GID, RdmaDeviceOptions.BEST_GID, 0, MAX_GID),
            CompletionInterface.valueOf(
                uri.wordValue(ChannelUri.COMPLETION_INTERFACE, COMPLETION_INTERFACES.getFirst(), COMPLETION_INTERFACES)
                    .toUpperCase(Locale.ROOT)),
            PostingInterface.WORK_REQUESTS);
    }

    private Opened open(final RdmaDeviceOptions options) {
        final RdmaDevice device = context.rdmaProvider().apply(context.environment(), options);
        try {
            final ProtectionDomain domain = device.allocateProtectionDomain();
            return new Opened(device, domain, conductor.addMedium(device, domain));
        } catch (final RuntimeException ex) {
            CloseHelper.quietClose(device);
            throw ex;
        }
    }

    /** What abandoned memory keeps open is told to the error handler. */
    @Override
    public void close() {
        for (final Opened each : opened.values()) {
            CloseHelper.closeAll(context.errorHandler(), each.domain, each.device);
        }
    }
}
