package io.sluice.transport;

import java.util.Objects;

/** A handler under another name. On the thread of its consumer. */
record NamedEventHandler(String name, MessageEventHandler handler) implements MessageEventHandler {
    NamedEventHandler {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(handler, "handler");
    }

    @Override
    public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) throws Exception {
        handler.onEvent(event, sequence, endOfBatch);
    }

    @Override
    public void onBatchStart(final long batchSize, final long queueDepth) {
        handler.onBatchStart(batchSize, queueDepth);
    }

    @Override
    public void onStart() {
        handler.onStart();
    }

    @Override
    public void onShutdown() {
        handler.onShutdown();
    }

    @Override
    public String toString() {
        return "MessageEventHandler{name=" + name + " handler=" + handler + "}";
    }
}
