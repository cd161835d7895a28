package io.sluice.transport;

import io.sluice.environment.Environment;
import io.sluice.transport.agent.Closing;
import io.sluice.transport.agent.SharedMemoryWords;
import io.sluice.transport.agent.TransportErrors;
import io.sluice.transport.conductor.Conductor;
import io.sluice.transport.peer.HostNames;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import io.sluice.verbs.Errno;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.rdma.CompletionInterface;
import io.sluice.verbs.rdma.PostingInterface;
import io.sluice.verbs.rdma.RdmaDeviceOptions;
import io.sluice.verbs.rdma.RdmaDevices;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;

/**
 * The devices that a transport's channels use: the context's own for {@code sluice:ipc}, and those of
 * {@code sluice:rdma}, each opened when the first channel asks for it and kept until the transport closes. However
 * a channel says which device it wants, a device is opened once for each way of using it. Under the transport's lock.
 */
final class Media implements AutoCloseable {
    private static final int MAX_PORT = 254;
    private static final int MAX_GID = 255;
    private static final List<String> COMPLETION_INTERFACES = List.of("auto", "extended", "legacy");

    private record Opened(
        RdmaDeviceOptions options, RdmaDevice device, ProtectionDomain domain, Medium medium) {
    }

    private final Context context;
    private final Conductor conductor;
    private final ErrorHandler errorHandler;
    private final Map<RdmaDeviceOptions, Opened> byAsked = new HashMap<>();
    private final Map<RdmaDeviceOptions, Opened> opened = new HashMap<>();

    Media(final Context context, final Conductor conductor, final ErrorHandler errorHandler) {
        this.context = context;
        this.conductor = conductor;
        this.errorHandler = errorHandler;
    }

    /**
     * Wait for the address of a channel's host that is given by name. Without the transport's lock: a slow name server
     * holds up nobody but who asks it.
     *
     * @param channel as it is, which may be malformed.
     */
    static void awaitHost(final Environment environment, final String channel) {
        final ChannelUri uri;
        try {
            uri = ChannelUri.parse(channel);
        } catch (final IllegalArgumentException ex) {
            // whoever reads it next says so
            return;
        }
        if (uri.isRdma()) {
            HostNames.await(environment, address(uri));
        }
    }

    /** The address that a channel meets others at. */
    static String address(final ChannelUri uri) {
        return uri.control() == null ? uri.endpoint() : uri.control();
    }

    /**
     * The medium of a channel.
     *
     * @param isPublication or else a subscription.
     * @throws IllegalStateException          when this transport listens at the channel's address with other options.
     * @throws io.sluice.verbs.VerbsException when there is no such device, or it cannot be used.
     */
    Medium of(final String channel, final boolean isPublication) {
        final ChannelUri uri = ChannelUri.parse(channel);
        if (!uri.isRdma()) {
            return conductor.ipc();
        }
        final boolean listens = isPublication == (uri.control() != null);
        final String address = address(uri);
        final RdmaDeviceOptions named = options(uri);
        final Opened found = opened(
            named.device().isEmpty() ? named.withLocalAddress(RdmaDevices.localAddress(
                context.environment(), address, listens)) : named);
        if (listens) {
            checkListensAlone(found, address, channel);
        }
        return found.medium();
    }

    /** The error to tell of what a device could not do, or else the shared memory, in its words. */
    static TransportException failure(final boolean isOfDevice, final String tried, final VerbsException error) {
        return isOfDevice
            ? TransportErrors.of(ErrorKind.DEVICE_FAILED, tried, error, UnaryOperator.identity())
            : TransportErrors.of(ErrorKind.STORAGE, tried, error, SharedMemoryWords::of);
    }

    private Opened opened(final RdmaDeviceOptions asked) {
        final Opened known = byAsked.get(asked);
        if (known != null) {
            return known;
        }
        final Opened found = open(asked);
        byAsked.put(asked, found);
        return found;
    }

    /**
     * Throws when this transport listens at the address with other options: the connection manager would only say that
     * this process has it.
     */
    private void checkListensAlone(final Opened found, final String address, final String channel) {
        for (final Opened other : opened.values()) {
            if (other != found && other.medium().listensAt(address)) {
                throw new IllegalStateException("this transport listens at address=" + address + " with "
                    + differences(other.options(), found.options()) + " and cannot with "
                    + differences(found.options(), other.options()) + ": channel=" + channel);
            }
        }
    }

    /** The channel keys of options that others have another value of. */
    private static String differences(final RdmaDeviceOptions options, final RdmaDeviceOptions others) {
        final List<String> differences = new ArrayList<>();
        if (!options.device().equals(others.device())) {
            differences.add(ChannelUri.DEVICE + "=" + options.device());
        }
        if (options.port() != others.port()) {
            differences.add(options.port() == RdmaDeviceOptions.ANY_PORT
                ? "no " + ChannelUri.PORT : ChannelUri.PORT + "=" + options.port());
        }
        if (options.gidIndex() != others.gidIndex()) {
            differences.add(options.gidIndex() == RdmaDeviceOptions.BEST_GID
                ? "no " + ChannelUri.GID : ChannelUri.GID + "=" + options.gidIndex());
        }
        if (options.completionInterface() != others.completionInterface()) {
            differences.add(ChannelUri.COMPLETION_INTERFACE + "="
                + options.completionInterface().name().toLowerCase(Locale.ROOT));
        }
        return String.join("|", differences);
    }

    static RdmaDeviceOptions options(final ChannelUri uri) {
        final String device = uri.value(ChannelUri.DEVICE);
        return new RdmaDeviceOptions(
            device == null ? "" : device,
            uri.intValue(ChannelUri.PORT, RdmaDeviceOptions.ANY_PORT, 1, MAX_PORT),
            uri.intValue(ChannelUri.GID, RdmaDeviceOptions.BEST_GID, 0, MAX_GID),
            CompletionInterface.valueOf(
                uri.wordValue(ChannelUri.COMPLETION_INTERFACE, COMPLETION_INTERFACES.getFirst(), COMPLETION_INTERFACES)
                    .toUpperCase(Locale.ROOT)),
            PostingInterface.WORK_REQUESTS);
    }

    private Opened open(final RdmaDeviceOptions asked) {
        final RdmaDevice device = Objects.requireNonNull(
            context.rdmaProvider().apply(context.environment(), asked), "a device of Context.rdmaProvider");
        try {
            requireConnected(device);
            final RdmaDeviceOptions options = asked.withDevice(device.name()).withLocalAddress("");
            final Opened known = opened.get(options);
            if (known != null) {
                device.close();
                return known;
            }
            final ProtectionDomain domain = device.allocateProtectionDomain();
            final Opened added = new Opened(options, device, domain, conductor.addMedium(device, domain));
            opened.put(options, added);
            return added;
        } catch (final Throwable ex) {
            CloseHelper.quietClose(device);
            throw ex;
        }
    }

    private static void requireConnected(final RdmaDevice device) {
        if (!device.attributes().reliableConnected()) {
            throw new VerbsException("ibv_create_qp", Errno.EOPNOTSUPP, "device " + device.name()
                + " cannot be used: it has datagrams only (EFA, for example), and streams need reliable connected queue"
                + " pairs with RDMA WRITE WITH IMMEDIATE, as InfiniBand and RoCE have them");
        }
    }

    /**
     * Closes domains and devices; a failure, such as a domain that abandoned memory keeps open, goes to the error
     * handler.
     */
    @Override
    public void close() {
        Closing.all(opened.values().stream().flatMap(each -> Stream.of(each.domain, each.device))
            .map(part -> (AutoCloseable) () -> closeOrTell(part)).toList());
    }

    private void closeOrTell(final AutoCloseable part) {
        try {
            part.close();
        } catch (final Throwable ex) {
            onNotClosed(ex);
        }
    }

    private void onNotClosed(final Throwable error) {
        final boolean isInUse = error instanceof VerbsException ex && ex.errno() == Errno.EBUSY;
        errorHandler.onError(TransportErrors.of(isInUse ? ErrorKind.ABANDONED : ErrorKind.DEVICE_FAILED,
            "a device does not close", error, UnaryOperator.identity()));
    }
}
