package io.sluice.samples.selftest;

import io.sluice.verbs.CompletionQueue;

/** A completion queue that does what another one does; a test makes it do something else. */
class FaultyQueue extends CompletionQueue {
    final CompletionQueue sound;

    FaultyQueue(final CompletionQueue sound) {
        this.sound = sound;
    }

    @Override
    public int startPoll() {
        return sound.startPoll();
    }

    @Override
    public int nextPoll() {
        return sound.nextPoll();
    }

    @Override
    public void endPoll() {
        sound.endPoll();
    }

    @Override
    public long workRequestId() {
        return sound.workRequestId();
    }

    @Override
    public int status() {
        return sound.status();
    }

    @Override
    public int opcode() {
        return sound.opcode();
    }

    @Override
    public int vendorError() {
        return sound.vendorError();
    }

    @Override
    public int flags() {
        return sound.flags();
    }

    @Override
    public int byteLength() {
        return sound.byteLength();
    }

    @Override
    public int immediateData() {
        return sound.immediateData();
    }

    @Override
    public int queuePairNumber() {
        return sound.queuePairNumber();
    }

    @Override
    public int sourceQueuePair() {
        return sound.sourceQueuePair();
    }

    @Override
    public int fields() {
        return sound.fields();
    }

    @Override
    public int capacity() {
        return sound.capacity();
    }

    @Override
    public void resize(final int capacity) {
        sound.resize(capacity);
    }

    @Override
    public int requestNotify(final boolean solicitedOnly) {
        return sound.requestNotify(solicitedOnly);
    }

    @Override
    public void acknowledgeEvents(final int count) {
        sound.acknowledgeEvents(count);
    }

    @Override
    public void close() {
        sound.close();
    }
}
