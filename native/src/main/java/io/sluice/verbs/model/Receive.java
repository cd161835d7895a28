package io.sluice.verbs.model;

/**
 * A receive request.
 *
 * @param id      of the work request.
 * @param address of the buffer.
 * @param length  of it, 0 without one.
 * @param key     of its region.
 */
record Receive(long id, long address, int length, int key) {
}
