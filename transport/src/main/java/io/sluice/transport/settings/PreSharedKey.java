package io.sluice.transport.settings;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret that a transport and its peers hold, and that none of them ever tells. One thread at a time; it shows itself
 * to nobody, {@link #toString()} included.
 */
public final class PreSharedKey {
    /** Bytes of the shortest key: as many as a digest has, so that the key is not what is guessed (RFC 2104). */
    public static final int MIN_LENGTH = 32;

    /** Bytes of the longest key: more than a digest makes use of. */
    public static final int MAX_LENGTH = 1024;

    private static final String ALGORITHM = "HmacSHA256";

    private final Mac mac;

    private PreSharedKey(final Mac mac) {
        this.mac = mac;
    }

    /**
     * A key out of a file or a variable, where a line may end behind it.
     *
     * @param origin  for messages, for example the file's name.
     * @param content the key, with a line end behind it or not; wiped here.
     * @return the key.
     * @throws IllegalArgumentException when it is too short or too long; the message names origin, length and bound.
     */
    public static PreSharedKey of(final String origin, final byte[] content) {
        final byte[] key = withoutLineEnd(content);
        try {
            if (key.length < MIN_LENGTH || key.length > MAX_LENGTH) {
                throw new IllegalArgumentException("length of a pre-shared key out of range: " + origin + " length="
                    + key.length + " minimum=" + MIN_LENGTH + " maximum=" + MAX_LENGTH
                    + "; openssl rand -hex 32 makes one");
            }
            final Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return new PreSharedKey(mac);
        } catch (final GeneralSecurityException ex) {
            throw new IllegalStateException("this JDK has no " + ALGORITHM + ", which every JDK must have", ex);
        } finally {
            Arrays.fill(key, (byte) 0);
            Arrays.fill(content, (byte) 0);
        }
    }

    private static byte[] withoutLineEnd(final byte[] content) {
        int length = content.length;
        if (length > 0 && content[length - 1] == '\n') {
            length--;
            if (length > 0 && content[length - 1] == '\r') {
                length--;
            }
        }
        return Arrays.copyOf(content, length);
    }

    /**
     * Computes HMAC-SHA256 with this key.
     *
     * @param bytes to sign.
     * @return the digest.
     */
    public byte[] digest(final byte[] bytes) {
        return mac.doFinal(bytes);
    }

    @Override
    public String toString() {
        return "PreSharedKey[hidden]";
    }
}
