package io.sluice.transport.simulation;

import io.sluice.transport.MessageEvent;
import io.sluice.transport.MessageEventHandler;

/** A handler of a graph; at times it is done with a message early, and goes on to do other things. */
final class ReadingHandler implements MessageEventHandler {
    private static final int RELEASE_ONE_IN = 8;

    private final Reader reader;
    private final String name;
    private boolean ended;

    ReadingHandler(final Reader reader, final String name) {
        this.reader = reader;
        this.name = name;
    }

    @Override
    public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) {
        if (ended) {
            throw reader.fail(reader.name() + ": a message after its shut-down: sequence=" + sequence);
        }
        reader.done(reader.inspect(
            event.image(), event.buffer(), event.offset(), event.length(), event.position(), event.reservedValue()));
        if (reader.random().nextInt(RELEASE_ONE_IN) == 0) {
            event.release();
            reader.holdAtTimes();
        }
        reader.throwAtTimes();
    }

    @Override
    public void onShutdown() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    @Override
    public String name() {
        return name;
    }
}
