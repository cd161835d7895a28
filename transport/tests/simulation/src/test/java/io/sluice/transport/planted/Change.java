package io.sluice.transport.planted;

/**
 * One change of a planted bug.
 *
 * @param place   that it is in, as {@code Class.method}, {@code Class.Nested.method} or {@code Class}; {@code new} is a
 *                constructor, and packages may stand before.
 * @param there   what stands there, once.
 * @param instead what stands there with the bug; may be empty.
 */
record Change(String place, String there, String instead) {
    Change {
        if (JavaTokens.of(there).isEmpty()) {
            throw new IllegalArgumentException("a change without anything that is there: in " + place);
        }
        if (JavaTokens.of(there).texts().equals(JavaTokens.of(instead).texts())) {
            throw new IllegalArgumentException("a change that changes nothing: in " + place + ": " + there);
        }
    }
}
