package io.sluice.samples.selftest;

import io.sluice.verbs.SharedReceiveQueue;

/** A shared receive queue that does what another one does; a test makes it do something else. */
class FaultyReceives extends SharedReceiveQueue {
    final SharedReceiveQueue sound;

    FaultyReceives(final SharedReceiveQueue sound) {
        this.sound = sound;
    }

    @Override
    public int capacity() {
        return sound.capacity();
    }

    @Override
    public int postReceive(final long workRequestId, final long address, final int localKey, final int length) {
        return sound.postReceive(workRequestId, address, localKey, length);
    }

    @Override
    public int postReceives(final long workRequestId, final int count) {
        return sound.postReceives(workRequestId, count);
    }

    @Override
    public void armLimit(final int limit) {
        sound.armLimit(limit);
    }

    @Override
    public void close() {
        sound.close();
    }
}
