package io.sluice.verbs.software;

import java.nio.charset.StandardCharsets;
import org.agrona.UnsafeApi;

/**
 * The header file of a region: one page, written by its owner before the valid word, read by peers.
 * <pre>
 *      0  magic                        8
 *      8  layout version  4 | key      4
 *     16  access          4 | domain   4
 *     24  base address                 8
 *     32  length                       8
 *     40  data identity                8   random: equal means the very same file
 *     48  data key        4 | folder name length 4
 *     56  name of the folder that holds the data file, ASCII, at most 27 bytes
 *    128  valid word                   8   on a cache line that posters of peers read on every post
 * </pre>
 */
final class RegionLayout {
    static final int LENGTH = 4096;
    static final long MAGIC = 0x534c_5543_4552_4731L;
    static final int VERSION = 1;
    /** The valid word of a living region. */
    static final long VALID = 0x5641_4c49_4452_4547L;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int KEY_OFFSET = 12;
    static final int ACCESS_OFFSET = 16;
    static final int DOMAIN_OFFSET = 20;
    static final int BASE_OFFSET = 24;
    static final int LENGTH_OFFSET = 32;
    static final int DATA_IDENTITY_OFFSET = 40;
    static final int DATA_KEY_OFFSET = 48;
    static final int FOLDER_LENGTH_OFFSET = 52;
    static final int FOLDER_OFFSET = 56;
    static final int VALID_OFFSET = 128;

    private RegionLayout() {
    }

    static void write(final long header, final RegionDescription region, final int domain) {
        UnsafeApi.putLong(header + MAGIC_OFFSET, MAGIC);
        UnsafeApi.putInt(header + VERSION_OFFSET, VERSION);
        UnsafeApi.putInt(header + KEY_OFFSET, region.key());
        UnsafeApi.putInt(header + ACCESS_OFFSET, region.access());
        UnsafeApi.putInt(header + DOMAIN_OFFSET, domain);
        UnsafeApi.putLong(header + BASE_OFFSET, region.base());
        UnsafeApi.putLong(header + LENGTH_OFFSET, region.length());
        UnsafeApi.putLong(header + DATA_IDENTITY_OFFSET, region.dataIdentity());
        UnsafeApi.putInt(header + DATA_KEY_OFFSET, region.dataKey());
        final byte[] folder = region.dataFolder().getBytes(StandardCharsets.US_ASCII);
        UnsafeApi.putInt(header + FOLDER_LENGTH_OFFSET, folder.length);
        for (int i = 0; i < folder.length; i++) {
            UnsafeApi.putByte(header + FOLDER_OFFSET + i, folder[i]);
        }
        UnsafeApi.putLongRelease(null, header + VALID_OFFSET, VALID);
    }

    static boolean isValid(final long header) {
        return UnsafeApi.getLongAcquire(null, header + VALID_OFFSET) == VALID;
    }

    static void invalidate(final long header) {
        UnsafeApi.putLongVolatile(null, header + VALID_OFFSET, 0);
    }

    static int domain(final long header) {
        return UnsafeApi.getInt(header + DOMAIN_OFFSET);
    }

    /**
     * Read a header that another process wrote.
     *
     * @param header address of a whole page.
     * @param key    that it must be about.
     * @return what it says, checked, or null when it is not a living region's header.
     */
    static RegionDescription read(final long header, final int key) {
        if (!isValid(header) || UnsafeApi.getLong(header + MAGIC_OFFSET) != MAGIC
            || UnsafeApi.getInt(header + VERSION_OFFSET) != VERSION || UnsafeApi.getInt(header + KEY_OFFSET) != key) {
            return null;
        }
        final int folderLength = UnsafeApi.getInt(header + FOLDER_LENGTH_OFFSET);
        if (folderLength < 1 || folderLength > FabricNames.MAX_FOLDER_LENGTH) {
            return null;
        }
        final byte[] folder = new byte[folderLength];
        for (int i = 0; i < folderLength; i++) {
            folder[i] = UnsafeApi.getByte(header + FOLDER_OFFSET + i);
        }
        final RegionDescription region = new RegionDescription(
            key,
            UnsafeApi.getInt(header + ACCESS_OFFSET),
            UnsafeApi.getLong(header + BASE_OFFSET),
            UnsafeApi.getLong(header + LENGTH_OFFSET),
            new String(folder, StandardCharsets.US_ASCII),
            UnsafeApi.getInt(header + DATA_KEY_OFFSET),
            UnsafeApi.getLong(header + DATA_IDENTITY_OFFSET));
        final boolean sound = region.length() > 0 && region.length() <= SoftwareLimits.MAX_REGION_LENGTH
            && FabricNames.isFolder(region.dataFolder());
        return sound ? region : null;
    }
}
