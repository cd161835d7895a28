package io.sluice.verbs.software;

import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Addresses to listen at, as paths: {@code ipc/prices/7} is {@code ipc=/prices=/7}. Letters, digits, {@code _ : -} and
 * dots that do not come first stand for themselves, all other bytes of UTF-8 are written {@code %XX}.
 */
final class ServiceNames {
    private static final char LEVEL = '=';
    private static final char ESCAPE = '%';
    private static final int MAX_NAME_LENGTH = 250;
    private static final int HEX = 16;

    private ServiceNames() {
    }

    /** The file of an address. */
    static Path entry(final Path root, final String call, final String address) {
        check(call, address);
        final String[] parts = address.split("/", -1);
        Path path = root;
        for (int i = 0; i < parts.length - 1; i++) {
            path = path.resolve(encode(call, address, parts[i]) + LEVEL);
        }
        return path.resolve(encode(call, address, parts[parts.length - 1]));
    }

    /** The directory of a prefix; empty is the root. */
    static Path level(final Path root, final String call, final String service) {
        if (service.isEmpty()) {
            return root;
        }
        check(call, service);
        Path level = root;
        for (final String part : service.split("/", -1)) {
            level = level.resolve(encode(call, service, part) + LEVEL);
        }
        return level;
    }

    private static void check(final String call, final String address) {
        final long depth = address.chars().filter(c -> c == '/').count() + 1;
        if (address.isEmpty() || address.length() > SoftwareLimits.MAX_SERVICE_ADDRESS_LENGTH
            || depth > SoftwareLimits.MAX_SERVICE_ADDRESS_DEPTH) {
            throw new VerbsException(call, Errno.EINVAL, "address=" + address + " must have from 1 to "
                + SoftwareLimits.MAX_SERVICE_ADDRESS_LENGTH + " characters and at most "
                + SoftwareLimits.MAX_SERVICE_ADDRESS_DEPTH + " levels");
        }
    }

    private static String encode(final String call, final String address, final String part) {
        final StringBuilder name = new StringBuilder();
        for (final byte b : part.getBytes(StandardCharsets.UTF_8)) {
            final char c = (char) (b & 0xff);
            if (isPlain(c) || c == '.' && !name.isEmpty()) {
                name.append(c);
            } else {
                name.append(ESCAPE).append(String.format(Locale.ROOT, "%02X", (int) c));
            }
        }
        if (name.isEmpty() || name.length() > MAX_NAME_LENGTH) {
            throw new VerbsException(call, Errno.EINVAL, "address=" + address + ": the part \"" + part
                + "\" must have from 1 to " + MAX_NAME_LENGTH + " bytes when encoded");
        }
        return name.toString();
    }

    private static boolean isPlain(final char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == ':' || c == '-';
    }

    static boolean isLevel(final String name) {
        return name.charAt(name.length() - 1) == LEVEL;
    }

    /** The part of an address that a directory entry stands for; foreign names come out as they are. */
    static String decode(final String name) {
        final int end = isLevel(name) ? name.length() - 1 : name.length();
        final byte[] bytes = new byte[end];
        int length = 0;
        for (int i = 0; i < end; i++) {
            final char c = name.charAt(i);
            final int high = c == ESCAPE && i + 2 < end ? Character.digit(name.charAt(i + 1), HEX) : -1;
            final int low = high < 0 ? -1 : Character.digit(name.charAt(i + 2), HEX);
            if (low < 0) {
                bytes[length++] = (byte) c;
            } else {
                bytes[length++] = (byte) (high * HEX + low);
                i += 2;
            }
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
