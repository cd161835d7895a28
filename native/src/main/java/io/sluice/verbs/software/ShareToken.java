package io.sluice.verbs.software;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The token that another process must know to map a region; travels as bytes and is not trusted.
 * <pre>
 *   magic 4 | version 1 | folder length 1 | folder | key 4
 * </pre>
 *
 * @param folder name of the owner's process folder.
 * @param key    of the region.
 */
record ShareToken(String folder, int key) {
    private static final int MAGIC = 0x5353_4854;
    private static final byte VERSION = 1;
    private static final int FIXED_LENGTH = 4 + 1 + 1 + 4;

    byte[] encode() {
        final byte[] name = folder.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(FIXED_LENGTH + name.length).order(ByteOrder.LITTLE_ENDIAN)
            .putInt(MAGIC).put(VERSION).put((byte) name.length).put(name).putInt(key)
            .array();
    }

    static ShareToken decode(final byte[] bytes) {
        final ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length <= FIXED_LENGTH || bytes.length > SoftwareLimits.MAX_SHARE_TOKEN_LENGTH
            || in.getInt() != MAGIC) {
            throw malformed("length=" + bytes.length);
        }
        final byte version = in.get();
        if (version != VERSION) {
            throw malformed("version=" + version + ", expected " + VERSION);
        }
        final int nameLength = in.get() & 0xff;
        if (bytes.length != FIXED_LENGTH + nameLength) {
            throw malformed("length=" + bytes.length);
        }
        final byte[] name = new byte[nameLength];
        in.get(name);
        final ShareToken token = new ShareToken(new String(name, StandardCharsets.US_ASCII), in.getInt());
        if (!FabricNames.isFolder(token.folder)) {
            throw malformed("it does not name a process folder");
        }
        return token;
    }

    private static VerbsException malformed(final String what) {
        return new VerbsException(
            "ibv_reg_mr", Errno.EINVAL, "not a share token of the software device: " + what);
    }
}
