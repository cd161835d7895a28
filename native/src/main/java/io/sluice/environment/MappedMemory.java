package io.sluice.environment;

/**
 * A page-aligned stretch of memory outside the heap, usually a mapped file. Owned by whoever got it; after
 * {@link #close()} every address within it is dead and touching it may crash the JVM, so close only what no thread and
 * no device can still touch.
 */
public interface MappedMemory extends AutoCloseable {
    /**
     * The first address of the mapping.
     *
     * @return the address of byte 0, a multiple of the page size.
     */
    long address();

    /**
     * The size of the mapping.
     *
     * @return bytes mapped.
     */
    long length();

    /**
     * Unmap; idempotent.
     */
    @Override
    void close();
}
