package io.sluice.transport.buffer;

/**
 * A place in the peer's memory that a link may write to. Immutable; any thread.
 *
 * @param address of its first byte, at the peer.
 * @param key     remote key of the region that it lies in.
 */
public record RemoteMemory(long address, int key) {
}
