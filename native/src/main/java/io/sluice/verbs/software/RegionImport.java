package io.sluice.verbs.software;

import io.sluice.environment.MappedMemory;
import io.sluice.verbs.AccessFlags;
import org.agrona.UnsafeApi;

/**
 * A region of a peer as one queue pair sees it: its header, and its data once something must be copied. Used by the one
 * thread that carries out the queue pair's operations.
 */
final class RegionImport {
    final int key;
    private final RegionDescription region;
    private final MappedMemory header;
    private final long validWord;
    private final long base;
    private final long length;
    private final long dataIdentity;
    private final boolean isLocallyWritable;
    private final boolean isRemotelyWritable;
    private final boolean isReadable;
    private final boolean isAtomic;
    private MappedMemory data;
    private long dataAddress;

    RegionImport(final RegionDescription region, final MappedMemory header) {
        this.region = region;
        this.header = header;
        key = region.key();
        base = region.base();
        length = region.length();
        dataIdentity = region.dataIdentity();
        isLocallyWritable = (region.access() & AccessFlags.LOCAL_WRITE) != 0;
        isRemotelyWritable = (region.access() & AccessFlags.REMOTE_WRITE) != 0;
        isReadable = (region.access() & AccessFlags.REMOTE_READ) != 0;
        isAtomic = (region.access() & AccessFlags.REMOTE_ATOMIC) != 0;
        validWord = header.address() + RegionLayout.VALID_OFFSET;
    }

    boolean isValid() {
        return UnsafeApi.getLong(validWord) == RegionLayout.VALID;
    }

    /** Whether a peer's WRITE may go there. */
    boolean permitsWrite(final long address, final int byteCount) {
        return isRemotelyWritable && isValid() && covers(address, byteCount);
    }

    /** Whether a peer's READ may fetch from there. */
    boolean permitsRead(final long address, final int byteCount) {
        return isReadable && isValid() && covers(address, byteCount);
    }

    /** Whether a peer's atomic may change what is there. */
    boolean permitsAtomic(final long address, final int byteCount) {
        return isAtomic && isValid() && covers(address, byteCount);
    }

    /** Whether a SEND may fill a receive there. */
    boolean permitsReceive(final long address, final int byteCount) {
        return isLocallyWritable && isValid() && covers(address, byteCount);
    }

    private boolean covers(final long address, final int byteCount) {
        final long offset = address - base;
        return offset >= 0 && offset <= length - byteCount;
    }

    /** Whether a range of a local region is the very same memory as the range here, so that nothing need be copied. */
    boolean isSameMemory(final SoftwareRegion local, final long localAddress, final long remoteAddress) {
        return local.dataIdentity() == dataIdentity && localAddress - local.address() == remoteAddress - base;
    }

    boolean isMapped() {
        return data != null;
    }

    /** The place where the owner's address lies in this process; only after {@link #map}. */
    long translate(final long remoteAddress) {
        return dataAddress + (remoteAddress - base);
    }

    RegionDescription region() {
        return region;
    }

    /** Hand over the mapped data file, which is at least as long as the region. */
    void map(final MappedMemory mapping) {
        data = mapping;
        dataAddress = mapping.address();
    }

    void close() {
        if (data != null) {
            data.close();
        }
        header.close();
    }

    /** Mappings held. */
    int mappings() {
        return data == null ? 1 : 2;
    }
}
