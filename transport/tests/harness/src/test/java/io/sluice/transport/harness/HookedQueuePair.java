package io.sluice.transport.harness;

import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairState;
import io.sluice.verbs.software.FaultHook;
import io.sluice.verbs.software.FaultHook.Operation;

/** A queue pair that a hook can have fail before a write or a send. */
final class HookedQueuePair extends QueuePair {
    private final QueuePair actual;
    private final FaultHook hook;

    HookedQueuePair(final QueuePair actual, final FaultHook hook) {
        this.actual = actual;
        this.hook = hook;
    }

    QueuePair actual() {
        return actual;
    }

    private void ask(final Operation operation, final long workRequestId, final int length, final int immediate) {
        final int verdict = hook.onOperation(actual.number(), operation, workRequestId, length, immediate);
        if (verdict > FaultHook.PASS) {
            actual.fail();
        } else if (verdict != FaultHook.PASS) {
            throw new AssertionError("a verbs device cannot be held: verdict=" + verdict);
        }
    }

    @Override
    public int number() {
        return actual.number();
    }

    @Override
    public QueuePairState state() {
        return actual.state();
    }

    @Override
    public boolean isPeerReceiving() {
        return actual.isPeerReceiving();
    }

    @Override
    public QueuePairAttributes attributes() {
        return actual.attributes();
    }

    @Override
    public byte[] localAddress() {
        return actual.localAddress();
    }

    @Override
    public void initialise(final int access) {
        actual.initialise(access);
    }

    @Override
    public void readyToReceive(final byte[] remoteAddress) {
        actual.readyToReceive(remoteAddress);
    }

    @Override
    public void readyToSend() {
        actual.readyToSend();
    }

    @Override
    public void fail() {
        actual.fail();
    }

    @Override
    public int postWrite(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final long remoteAddress,
        final int remoteKey) {
        ask(Operation.WRITE, workRequestId, length, 0);
        return actual.postWrite(workRequestId, flags, localAddress, localKey, length, remoteAddress, remoteKey);
    }

    @Override
    public int postWriteWithImmediate(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final long remoteAddress,
        final int remoteKey,
        final int immediate) {
        ask(Operation.WRITE_WITH_IMMEDIATE, workRequestId, length, immediate);
        return actual.postWriteWithImmediate(
            workRequestId, flags, localAddress, localKey, length, remoteAddress, remoteKey, immediate);
    }

    @Override
    public int postSend(
        final long workRequestId, final int flags, final long localAddress, final int localKey, final int length) {
        ask(Operation.SEND, workRequestId, length, 0);
        return actual.postSend(workRequestId, flags, localAddress, localKey, length);
    }

    @Override
    public int postSendWithImmediate(
        final long workRequestId,
        final int flags,
        final long localAddress,
        final int localKey,
        final int length,
        final int immediate) {
        ask(Operation.SEND_WITH_IMMEDIATE, workRequestId, length, immediate);
        return actual.postSendWithImmediate(workRequestId, flags, localAddress, localKey, length, immediate);
    }

    @Override
    public int postReceive(final long workRequestId, final long address, final int localKey, final int length) {
        return actual.postReceive(workRequestId, address, localKey, length);
    }

    @Override
    public int postReceives(final long workRequestId, final int count) {
        return actual.postReceives(workRequestId, count);
    }

    @Override
    public void close() {
        actual.close();
    }
}
