package io.sluice.transport;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.agrona.sbe.MessageDecoderFlyweight;

/**
 * The least length of a template's block in each version of its schema, so that a decoder finds in it all the fields
 * that the version has. A generated decoder reads a field of its own version or an older one without looking at the
 * length. Immutable; any thread.
 */
final class BlockLengths {
    private static final String OFFSET = "EncodingOffset";
    private static final String LENGTH = "EncodingLength";
    private static final String SINCE_VERSION = "SinceVersion";

    /** The lengths by version, which is the index; the last one holds for newer ones, too. */
    private final int[] byVersion;

    private BlockLengths(final int[] byVersion) {
        this.byVersion = byVersion;
    }

    /** Reads what the generated class tells of its fields; one that tells nothing has no versions. */
    static BlockLengths ofDecoder(final MessageDecoderFlyweight decoder) {
        final int[] byVersion = new int[decoder.sbeSchemaVersion() + 1];
        final Class<?> type = decoder.getClass();
        boolean hasFields = false;
        try {
            for (final Method method : type.getMethods()) {
                if (Modifier.isStatic(method.getModifiers()) && method.getName().endsWith(OFFSET)) {
                    final String field = method.getName().substring(0, method.getName().length() - OFFSET.length());
                    final int end = (int) method.invoke(null) + number(type, field + LENGTH);
                    for (int i = number(type, field + SINCE_VERSION); i < byVersion.length; i++) {
                        byVersion[i] = Math.max(byVersion[i], end);
                    }
                    hasFields = true;
                }
            }
        } catch (final ReflectiveOperationException e) {
            throw new IllegalArgumentException("cannot read the fields of a decoder, which must be public in an"
                + " exported package: class=" + type.getName(), e);
        }
        if (!hasFields) {
            Arrays.fill(byVersion, decoder.sbeBlockLength());
        }
        byVersion[byVersion.length - 1] = decoder.sbeBlockLength();
        return new BlockLengths(byVersion);
    }

    private static int number(final Class<?> type, final String method) throws ReflectiveOperationException {
        return (int) type.getMethod(method).invoke(null);
    }

    /** The least length in bytes. */
    int of(final int version) {
        return byVersion[Math.min(version, byVersion.length - 1)];
    }
}
