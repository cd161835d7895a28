package io.sluice.verbs.software;

import io.sluice.environment.MappedMemory;
import io.sluice.verbs.AccessFlags;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.VerbsException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.agrona.collections.ArrayUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** A region of this process: its own data file, or one of another process mapped read-only. */
final class SoftwareRegion implements MemoryRegion {
    private static final byte[] NO_TOKEN = {};

    private final DeviceContext device;
    private final Consumer<SoftwareRegion> closing;
    /** The content of the region's header; changed while the device is released, when nobody posts. */
    private RegionDescription description;
    private MappedMemory header;
    /** Headers that lost their names, which peers that have used the region look at. */
    private MappedMemory[] earlierHeaders = {};
    private final MappedMemory data;
    private final long address;
    private final long length;
    private int key;
    private final long dataIdentity;
    private final boolean isWritable;
    /** Whether the data file is this region's; or else it is another region's, perhaps one of this process. */
    private final boolean ownsData;
    /** The region whose memory this is; itself but for one that is {@link #isForSends}. */
    private final SoftwareRegion origin;
    /** The number of registrations of an origin's memory, itself included. */
    private final AtomicInteger registrations = new AtomicInteger(1);
    private volatile boolean isClosed;

    /**
     * A region with a header, by which peers find it.
     *
     * @param closing how its domain closes it.
     */
    SoftwareRegion(
        final DeviceContext device,
        final RegionDescription description,
        final MappedMemory header,
        final MappedMemory data,
        final Consumer<SoftwareRegion> closing) {
        this(device, description, header, data, closing, null);
    }

    private SoftwareRegion(
        final DeviceContext device,
        final RegionDescription description,
        final MappedMemory header,
        final MappedMemory data,
        final Consumer<SoftwareRegion> closing,
        final SoftwareRegion origin) {
        this.origin = origin == null ? this : origin;
        this.device = device;
        this.closing = closing;
        this.description = description;
        this.header = header;
        this.data = data;
        address = description.base();
        length = description.length();
        key = description.key();
        dataIdentity = description.dataIdentity();
        ownsData = description.key() == description.dataKey();
        // What another region owns, of this process or not, is mapped for reading only.
        isWritable = (description.access() & AccessFlags.LOCAL_WRITE) != 0 && ownsData
            && description.dataFolder().equals(device.folder().name());
    }

    /**
     * Register the same memory in another domain, for sends from it.
     *
     * @param otherClosing how that domain closes it.
     * @throws VerbsException EINVAL when this is closed.
     */
    SoftwareRegion registerForSends(final int newKey, final Consumer<SoftwareRegion> otherClosing) {
        if (isClosed || origin.registrations.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
            throw new VerbsException("ibv_reg_mr", Errno.EINVAL, "the region is closed");
        }
        return new SoftwareRegion(device, new RegionDescription(newKey, 0, address, length, description.dataFolder(),
            description.dataKey(), dataIdentity), null, null, otherClosing, origin);
    }

    /** Whether this region has no header and no memory of its own. */
    boolean isForSends() {
        return origin != this;
    }

    /** {@return the region to be unmapped, as this was the last registration of its memory, or null} */
    SoftwareRegion leave() {
        return origin.registrations.decrementAndGet() == 0 ? origin : null;
    }

    DeviceContext device() {
        return device;
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public int localKey() {
        return key;
    }

    @Override
    public int remoteKey() {
        return key;
    }

    @Override
    public UnsafeBuffer buffer() {
        return new UnsafeBuffer(address, (int) Math.min(length, Integer.MAX_VALUE));
    }

    @Override
    public byte[] shareToken() {
        // of files that somebody has removed nobody can be told where they are
        return !isForSends() && device.hasFile(FabricNames.regionHeader(key))
            && device.hasFile(description.dataFolder(), FabricNames.regionData(description.dataKey()))
            ? new ShareToken(device.folder().name(), key).encode() : NO_TOKEN;
    }

    @Override
    public void close() {
        closing.accept(this);
    }

    /** Data path: whether the region lives and has a range. */
    boolean covers(final long rangeAddress, final int byteCount) {
        final long offset = rangeAddress - address;
        return !isClosed && offset >= 0 && offset <= length - byteCount;
    }

    /** Data path: whether a READ or an atomic of this side may put something there. */
    boolean isWritable() {
        return isWritable;
    }

    /** Whether the data file goes with it. */
    boolean ownsData() {
        return ownsData;
    }

    long dataIdentity() {
        return dataIdentity;
    }

    RegionDescription description() {
        return description;
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Take another key and header: peers do not find the region by its old key any more. */
    void renew(final RegionDescription newDescription, final MappedMemory newHeader) {
        invalidateHeaders();
        closeHeaders();
        header = newHeader;
        description = newDescription;
        key = newDescription.key();
    }

    /** Add a header that took the place of the one that somebody has removed. */
    void add(final MappedMemory newHeader) {
        earlierHeaders = ArrayUtil.add(earlierHeaders, header);
        header = newHeader;
    }

    /** Invalidate the region: peers get REM_ACCESS_ERR and own posts LOC_PROT_ERR from now on. */
    void invalidate() {
        isClosed = true;
        invalidateHeaders();
    }

    private void invalidateHeaders() {
        if (header != null) {
            RegionLayout.invalidate(header.address());
        }
        for (final MappedMemory earlier : earlierHeaders) {
            RegionLayout.invalidate(earlier.address());
        }
    }

    private void closeHeaders() {
        header.close();
        for (final MappedMemory earlier : earlierHeaders) {
            earlier.close();
        }
        earlierHeaders = new MappedMemory[0];
    }

    /** The number of mappings held. */
    int mappings() {
        return 2 + earlierHeaders.length;
    }

    void unmap() {
        closeHeaders();
        data.close();
    }
}
