package io.sluice.transport.harness;

import io.sluice.transport.MessageEvent;
import io.sluice.transport.MessageEventHandler;

/**
 * A handler under a name of its own, since a lambda has none. On the thread of its consumer.
 */
public final class NamedHandler implements MessageEventHandler {
    private final String name;
    private final MessageEventHandler handler;

    private NamedHandler(final String name, final MessageEventHandler handler) {
        this.name = name;
        this.handler = handler;
    }

    public static MessageEventHandler named(final String name, final MessageEventHandler handler) {
        return new NamedHandler(name, handler);
    }

    @Override
    public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) throws Exception {
        handler.onEvent(event, sequence, endOfBatch);
    }

    @Override
    public void onShutdown() {
        handler.onShutdown();
    }

    @Override
    public String name() {
        return name;
    }
}
