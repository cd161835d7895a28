package io.sluice.verbs;

import java.util.Arrays;

/**
 * The path that datagrams take ({@code struct ibv_ah_attr}, ibv_create_ah(3)). Immutable; any thread. Usually the
 * peer's {@link RdmaDevice#portAddress()}, or made of the GID or the LID that the peer has told.
 *
 * @param destinationGid  16 bytes in the order of the wire, or none for a path without a global routing header, which
 *                        only InfiniBand has.
 * @param flowLabel       of the global routing header, 0 to 2^20 - 1.
 * @param sourceGidIndex  in the table of the sending port, 0 to 255, or {@link #DEVICE_GID}.
 * @param hopLimit        routers that a packet may cross, 0 to 255.
 * @param trafficClass    0 to 255; on RoCE v2 the type of service of IP.
 * @param destinationLid  local identifier on InfiniBand, 0 to 65535; 0 on Ethernet.
 * @param serviceLevel    0 to 15.
 * @param sourcePathBits  lower bits of the sending port's local identifier, 0 to 127.
 * @param staticRate      code of {@code enum ibv_rate}, 0 to 255; 0 is the port's own rate.
 * @param port            the sending port, from 1, or {@link #DEVICE_PORT}.
 */
public record AddressHandleAttributes(
    byte[] destinationGid,
    int flowLabel,
    int sourceGidIndex,
    int hopLimit,
    int trafficClass,
    int destinationLid,
    int serviceLevel,
    int sourcePathBits,
    int staticRate,
    int port) {
    /** The GID that the device's queue pairs are reached by. */
    public static final int DEVICE_GID = -1;
    /** The port that the device was opened with. */
    public static final int DEVICE_PORT = 0;
    /** Bytes of a GID. */
    public static final int GID_LENGTH = 16;
    /** The default of {@link #hopLimit()}, which is that of IP. */
    public static final int DEFAULT_HOP_LIMIT = 64;

    private static final int MAX_8_BITS = 0xff;
    private static final int MAX_16_BITS = 0xffff;
    private static final int MAX_FLOW_LABEL = (1 << 20) - 1;
    private static final int MAX_SERVICE_LEVEL = 15;
    private static final int MAX_PATH_BITS = 127;
    private static final int MAX_PORT = 254;
    private static final byte[] NO_GID = {};

    /**
     * A path.
     *
     * @throws IllegalArgumentException when a value is out of range.
     */
    public AddressHandleAttributes {
        if (destinationGid.length != 0 && destinationGid.length != GID_LENGTH) {
            throw new IllegalArgumentException(
                "destinationGid.length=" + destinationGid.length + " is neither 0 nor " + GID_LENGTH);
        }
        destinationGid = destinationGid.clone();
        check("flowLabel", flowLabel, 0, MAX_FLOW_LABEL);
        check("sourceGidIndex", sourceGidIndex, DEVICE_GID, MAX_8_BITS);
        check("hopLimit", hopLimit, 0, MAX_8_BITS);
        check("trafficClass", trafficClass, 0, MAX_8_BITS);
        check("destinationLid", destinationLid, 0, MAX_16_BITS);
        check("serviceLevel", serviceLevel, 0, MAX_SERVICE_LEVEL);
        check("sourcePathBits", sourcePathBits, 0, MAX_PATH_BITS);
        check("staticRate", staticRate, 0, MAX_8_BITS);
        check("port", port, DEVICE_PORT, MAX_PORT);
    }

    private static void check(final String name, final int value, final int min, final int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + "=" + value + " is not in " + min + ".." + max);
        }
    }

    /**
     * A path with a global routing header, by the device's own GID and port.
     *
     * @param gid 16 bytes in the order of the wire; on RoCE v2 the IP address of the peer's port.
     * @return the path.
     * @throws IllegalArgumentException when these are not 16 bytes.
     */
    public static AddressHandleAttributes toGid(final byte[] gid) {
        return toGid(gid, 0);
    }

    /**
     * A path to a port of InfiniBand that asks for global routing headers, within its subnet.
     *
     * @param gid 16 bytes in the order of the wire.
     * @param lid of the peer's port, 0 to 65535; 0 where there are none.
     * @return the path.
     * @throws IllegalArgumentException when these are not 16 bytes, or the lid is out of range.
     */
    public static AddressHandleAttributes toGid(final byte[] gid, final int lid) {
        if (gid.length != GID_LENGTH) {
            throw new IllegalArgumentException("gid.length=" + gid.length + " is not " + GID_LENGTH);
        }
        return new AddressHandleAttributes(gid, 0, DEVICE_GID, DEFAULT_HOP_LIMIT, 0, lid, 0, 0, 0, DEVICE_PORT);
    }

    /**
     * A path within a subnet of InfiniBand.
     *
     * @param lid of the peer's port, 0 to 65535.
     * @return the path.
     * @throws IllegalArgumentException when it is out of range.
     */
    public static AddressHandleAttributes toLid(final int lid) {
        return new AddressHandleAttributes(NO_GID, 0, DEVICE_GID, DEFAULT_HOP_LIMIT, 0, lid, 0, 0, 0, DEVICE_PORT);
    }

    /**
     * The GID that packets go to by their global routing header.
     *
     * @return a copy of the 16 bytes, none when they have no such header.
     */
    @Override
    public byte[] destinationGid() {
        return destinationGid.clone();
    }

    /**
     * Whether packets have a global routing header.
     *
     * @return true when there is a {@link #destinationGid()}.
     */
    public boolean isGlobal() {
        return destinationGid.length != 0;
    }

    /**
     * A copy of these attributes with another flow label.
     *
     * @param label the new {@link #flowLabel()}.
     * @return new attributes.
     */
    public AddressHandleAttributes withFlowLabel(final int label) {
        return new AddressHandleAttributes(destinationGid, label, sourceGidIndex, hopLimit, trafficClass,
            destinationLid, serviceLevel, sourcePathBits, staticRate, port);
    }

    /**
     * A copy of these attributes with another GID of the sending port.
     *
     * @param index the new {@link #sourceGidIndex()}.
     * @return new attributes.
     */
    public AddressHandleAttributes withSourceGidIndex(final int index) {
        return new AddressHandleAttributes(destinationGid, flowLabel, index, hopLimit, trafficClass,
            destinationLid, serviceLevel, sourcePathBits, staticRate, port);
    }

    /**
     * A copy of these attributes with another hop limit.
     *
     * @param limit the new {@link #hopLimit()}.
     * @return new attributes.
     */
    public AddressHandleAttributes withHopLimit(final int limit) {
        return new AddressHandleAttributes(destinationGid, flowLabel, sourceGidIndex, limit, trafficClass,
            destinationLid, serviceLevel, sourcePathBits, staticRate, port);
    }

    /**
     * A copy of these attributes with another traffic class.
     *
     * @param value the new {@link #trafficClass()}.
     * @return new attributes.
     */
    public AddressHandleAttributes withTrafficClass(final int value) {
        return new AddressHandleAttributes(destinationGid, flowLabel, sourceGidIndex, hopLimit, value,
            destinationLid, serviceLevel, sourcePathBits, staticRate, port);
    }

    /**
     * A copy of these attributes with another service level.
     *
     * @param level the new {@link #serviceLevel()}.
     * @return new attributes.
     */
    public AddressHandleAttributes withServiceLevel(final int level) {
        return new AddressHandleAttributes(destinationGid, flowLabel, sourceGidIndex, hopLimit, trafficClass,
            destinationLid, level, sourcePathBits, staticRate, port);
    }

    /**
     * A copy of these attributes with another sending port.
     *
     * @param number the new {@link #port()}.
     * @return new attributes.
     */
    public AddressHandleAttributes withPort(final int number) {
        return new AddressHandleAttributes(destinationGid, flowLabel, sourceGidIndex, hopLimit, trafficClass,
            destinationLid, serviceLevel, sourcePathBits, staticRate, number);
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof final AddressHandleAttributes that
            && Arrays.equals(destinationGid, that.destinationGid) && Arrays.equals(numbers(), that.numbers());
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(destinationGid) + Arrays.hashCode(numbers());
    }

    private int[] numbers() {
        return new int[] {flowLabel, sourceGidIndex, hopLimit, trafficClass, destinationLid, serviceLevel,
            sourcePathBits, staticRate, port};
    }
}
