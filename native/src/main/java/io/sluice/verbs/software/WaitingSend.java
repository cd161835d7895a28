package io.sluice.verbs.software;

/** One send that waits; reused. */
final class WaitingSend {
    private final SendRequest request = new SendRequest();
    private int operation;
    private long covered;

    /** Keep a copy of what was posted, whose bytes are kept at an address of their own. */
    void set(
        final int newOperation, final SendRequest posted, final long keptAddress, final long newCovered) {
        operation = newOperation;
        request.copy(posted, keptAddress);
        covered = newCovered;
    }

    int transmit(final Transmitter transmitter) {
        return operation >= Wire.READ
            ? transmitter.fetch(operation, request) : transmitter.transmit(operation, request);
    }

    int operation() {
        return operation;
    }

    SendRequest request() {
        return request;
    }

    long workRequestId() {
        return request.workRequestId();
    }

    /** Requests posted up to and with this one. */
    long covered() {
        return covered;
    }
}
