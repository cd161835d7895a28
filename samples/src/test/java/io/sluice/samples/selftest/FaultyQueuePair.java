package io.sluice.samples.selftest;

import io.sluice.verbs.AddressHandle;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.SendChain;

/** A queue pair that does what another one does; a test makes it do something else. */
class FaultyQueuePair extends QueuePair {
    final QueuePair sound;

    FaultyQueuePair(final QueuePair sound) {
        this.sound = sound;
    }

    @Override
    public int number() {
        return sound.number();
    }

    @Override
    public QueuePairState state() {
        return sound.state();
    }

    @Override
    public boolean isPeerReceiving() {
        return sound.isPeerReceiving();
    }

    @Override
    public QueuePairAttributes attributes() {
        return sound.attributes();
    }

    @Override
    public byte[] localAddress() {
        return sound.localAddress();
    }

    @Override
    public void initialise(final int access) {
        sound.initialise(access);
    }

    @Override
    public void readyToReceive(final byte[] remoteAddress) {
        sound.readyToReceive(remoteAddress);
    }

    @Override
    public void readyToSend() {
        sound.readyToSend();
    }

    @Override
    public void initialiseDatagrams(final int queueKey) {
        sound.initialiseDatagrams(queueKey);
    }

    @Override
    public void readyToReceiveDatagrams() {
        sound.readyToReceiveDatagrams();
    }

    @Override
    public void fail() {
        sound.fail();
    }

    @Override
    public int postWrite(final long workRequestId, final int flags, final long localAddress, final int localKey,
        final int length, final long remoteAddress, final int remoteKey) {
        return sound.postWrite(workRequestId, flags, localAddress, localKey, length, remoteAddress, remoteKey);
    }

    @Override
    public int postWriteWithImmediate(final long workRequestId, final int flags, final long localAddress,
        final int localKey, final int length, final long remoteAddress, final int remoteKey, final int immediate) {
        return sound.postWriteWithImmediate(
            workRequestId, flags, localAddress, localKey, length, remoteAddress, remoteKey, immediate);
    }

    @Override
    public int postRead(final long workRequestId, final int flags, final long localAddress, final int localKey,
        final int length, final long remoteAddress, final int remoteKey) {
        return sound.postRead(workRequestId, flags, localAddress, localKey, length, remoteAddress, remoteKey);
    }

    @Override
    public int postCompareAndSwap(final long workRequestId, final int flags, final long localAddress,
        final int localKey, final long remoteAddress, final int remoteKey, final long expected,
        final long replacement) {
        return sound.postCompareAndSwap(
            workRequestId, flags, localAddress, localKey, remoteAddress, remoteKey, expected, replacement);
    }

    @Override
    public int postFetchAdd(final long workRequestId, final int flags, final long localAddress, final int localKey,
        final long remoteAddress, final int remoteKey, final long addend) {
        return sound.postFetchAdd(workRequestId, flags, localAddress, localKey, remoteAddress, remoteKey, addend);
    }

    @Override
    public int postSend(final long workRequestId, final int flags, final long localAddress, final int localKey,
        final int length) {
        return sound.postSend(workRequestId, flags, localAddress, localKey, length);
    }

    @Override
    public int postSendWithImmediate(final long workRequestId, final int flags, final long localAddress,
        final int localKey, final int length, final int immediate) {
        return sound.postSendWithImmediate(workRequestId, flags, localAddress, localKey, length, immediate);
    }

    @Override
    public SendChain newSendChain(final int capacity) {
        return sound.newSendChain(capacity);
    }

    @Override
    public int postSendTo(final long workRequestId, final int flags, final long localAddress, final int localKey,
        final int length, final AddressHandle remote, final int remoteNumber, final int remoteQueueKey) {
        return sound.postSendTo(
            workRequestId, flags, localAddress, localKey, length, remote, remoteNumber, remoteQueueKey);
    }

    @Override
    public int postSendToWithImmediate(final long workRequestId, final int flags, final long localAddress,
        final int localKey, final int length, final AddressHandle remote, final int remoteNumber,
        final int remoteQueueKey, final int immediate) {
        return sound.postSendToWithImmediate(
            workRequestId, flags, localAddress, localKey, length, remote, remoteNumber, remoteQueueKey, immediate);
    }

    @Override
    public int postReceive(
        final long workRequestId, final long address, final int localKey, final int length) {
        return sound.postReceive(workRequestId, address, localKey, length);
    }

    @Override
    public int postReceives(final long workRequestId, final int count) {
        return sound.postReceives(workRequestId, count);
    }

    @Override
    public void close() {
        sound.close();
    }
}
