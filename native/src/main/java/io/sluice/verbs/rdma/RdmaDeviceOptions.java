package io.sluice.verbs.rdma;

import java.util.Objects;

/**
 * The options to open a device of the rdma provider with. Immutable; any thread.
 *
 * @param device              its name, for example {@code "mlx5_0"}, or empty for the one that has the local address,
 *                            else the first one whose port is active.
 * @param port                from 1, or {@link #ANY_PORT}.
 * @param gidIndex            of the port's GID table, or {@link #BEST_GID}.
 * @param completionInterface to poll by.
 * @param postingInterface    to post sends by.
 * @param regionPages         that the memory of regions lies in.
 * @param localAddress        IP address, not a name, to choose the device by where it is not named; or empty.
 */
public record RdmaDeviceOptions(
    String device,
    int port,
    int gidIndex,
    CompletionInterface completionInterface,
    PostingInterface postingInterface,
    RegionPages regionPages,
    String localAddress) {
    /** Let the route of each connection decide, and where there is none the local address, else the first active. */
    public static final int ANY_PORT = 0;
    /**
     * Let the route of each connection decide, and where there is none take the local address, else the one that suits
     * best: RoCE v2 before v1, an IPv4 address before a global IPv6 one before one of a link.
     */
    public static final int BEST_GID = -1;
    /**
     * The first device whose port is active, any port, the best GID, the completion interface that suits best, one call
     * for a post, and {@link RegionPages#CONFIGURED}.
     */
    public static final RdmaDeviceOptions DEFAULT = new RdmaDeviceOptions(
        "", ANY_PORT, BEST_GID, CompletionInterface.AUTO, PostingInterface.WORK_REQUESTS);
    private static final int MAX_PORT = 254;

    /**
     * Options.
     *
     * @throws IllegalArgumentException when a number is out of range.
     */
    public RdmaDeviceOptions {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(completionInterface, "completionInterface");
        Objects.requireNonNull(postingInterface, "postingInterface");
        Objects.requireNonNull(regionPages, "regionPages");
        Objects.requireNonNull(localAddress, "localAddress");
        if (port < ANY_PORT || port > MAX_PORT) {
            throw new IllegalArgumentException("port=" + port + " is not in " + ANY_PORT + ".." + MAX_PORT);
        }
        if (gidIndex < BEST_GID) {
            throw new IllegalArgumentException("gidIndex=" + gidIndex + " is not -1 or more");
        }
    }

    /**
     * Options with {@link RegionPages#CONFIGURED} and without a local address.
     *
     * @param device              its name, or empty for the first one whose port is active.
     * @param port                from 1, or {@link #ANY_PORT}.
     * @param gidIndex            of the port's GID table, or {@link #BEST_GID}.
     * @param completionInterface to poll by.
     * @param postingInterface    to post sends by.
     * @throws IllegalArgumentException when a number is out of range.
     */
    public RdmaDeviceOptions(
        final String device,
        final int port,
        final int gidIndex,
        final CompletionInterface completionInterface,
        final PostingInterface postingInterface) {
        this(device, port, gidIndex, completionInterface, postingInterface, RegionPages.CONFIGURED, "");
    }

    /**
     * Choose another device, and keep the rest.
     *
     * @param name of the device.
     * @return new options.
     */
    public RdmaDeviceOptions withDevice(final String name) {
        return new RdmaDeviceOptions(
            name, port, gidIndex, completionInterface, postingInterface, regionPages, localAddress);
    }

    /**
     * Choose another completion interface, and keep the rest.
     *
     * @param asked the interface.
     * @return new options.
     */
    public RdmaDeviceOptions withCompletionInterface(final CompletionInterface asked) {
        return new RdmaDeviceOptions(
            device, port, gidIndex, asked, postingInterface, regionPages, localAddress);
    }

    /**
     * Choose another posting interface, and keep the rest.
     *
     * @param asked the interface.
     * @return new options.
     */
    public RdmaDeviceOptions withPostingInterface(final PostingInterface asked) {
        return new RdmaDeviceOptions(
            device, port, gidIndex, completionInterface, asked, regionPages, localAddress);
    }

    /**
     * Choose other pages, and keep the rest.
     *
     * @param asked pages that the memory of regions lies in.
     * @return new options.
     */
    public RdmaDeviceOptions withRegionPages(final RegionPages asked) {
        return new RdmaDeviceOptions(
            device, port, gidIndex, completionInterface, postingInterface, asked, localAddress);
    }

    /**
     * Choose another local address, and keep the rest.
     *
     * @param address IP address of this machine to choose the device by, or empty.
     * @return new options.
     */
    public RdmaDeviceOptions withLocalAddress(final String address) {
        return new RdmaDeviceOptions(
            device, port, gidIndex, completionInterface, postingInterface, regionPages, address);
    }
}
