package io.sluice.transport;

import io.sluice.transport.counters.ApplicationCounter;
import io.sluice.transport.status.CounterType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * The open counters of the application, so that there are not too many, on their way to the conductor. The transport's
 * lock guards it, but for what the conductor takes.
 */
final class ApplicationCounterList {
    static final byte[] NO_KEY = {};

    private final List<ApplicationCounter> open = new ArrayList<>();
    private final Consumer<Runnable> conductor;
    private final Consumer<ApplicationCounter> shown;
    /** Open counters that the conductor has not taken yet, which is asked once for all of them; it is their lock. */
    private final List<ApplicationCounter> untaken = new ArrayList<>();
    private boolean isAsked;
    private long lastNumber;

    /**
     * Makes a list without counters; whoever shows them is handed each one on the conductor, unless it is closed
     * before.
     */
    ApplicationCounterList(final Consumer<Runnable> conductor, final Consumer<ApplicationCounter> shown) {
        this.conductor = conductor;
        this.shown = shown;
    }

    Counter add(final int typeId, final byte[] key, final String label) {
        check(typeId, label);
        open.removeIf(ApplicationCounter::isClosed);
        if (open.size() >= Configuration.COUNTERS_MAX) {
            throw new IllegalStateException("no room for another counter: counters=" + open.size() + " maximum="
                + Configuration.COUNTERS_MAX + ": close those that are not needed");
        }
        final ApplicationCounter counter = new ApplicationCounter(++lastNumber, typeId, key, label);
        open.add(counter);
        hand(counter);
        return new Counter(counter);
    }

    private void hand(final ApplicationCounter counter) {
        synchronized (untaken) {
            untaken.removeIf(ApplicationCounter::isClosed);
            untaken.add(counter);
            if (isAsked) {
                return;
            }
            isAsked = true;
        }
        conductor.accept(this::take);
    }

    /** Takes what was added, on the conductor, which takes no lock that anybody holds for long. */
    private void take() {
        final List<ApplicationCounter> taken;
        synchronized (untaken) {
            taken = List.copyOf(untaken);
            untaken.clear();
            isAsked = false;
        }
        taken.forEach(shown);
    }

    private static void check(final int typeId, final String label) {
        Quantities.checkRange("typeId", typeId, CounterType.APPLICATION_TYPE_ID_MIN, Integer.MAX_VALUE);
        final int length = label.getBytes(StandardCharsets.UTF_8).length;
        if (length > CountersReader.MAX_LABEL_LENGTH) {
            throw new IllegalArgumentException("label too long: length=" + length + " maximum="
                + CountersReader.MAX_LABEL_LENGTH + " bytes: label=" + label);
        }
    }

    static byte[] key(final DirectBuffer buffer, final int offset, final int length) {
        Quantities.checkRange("keyLength", length, 0, CountersReader.MAX_KEY_LENGTH);
        return bytes(Objects.requireNonNull(buffer, "keyBuffer"), offset, length);
    }

    static String label(final DirectBuffer buffer, final int offset, final int length) {
        Quantities.checkRange("labelLength", length, 0, CountersReader.MAX_LABEL_LENGTH);
        return new String(
            bytes(Objects.requireNonNull(buffer, "labelBuffer"), offset, length), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(final DirectBuffer buffer, final int offset, final int length) {
        buffer.boundsCheck(offset, length);
        final byte[] copy = new byte[length];
        buffer.getBytes(offset, copy);
        return copy;
    }

    void close() {
        open.forEach(ApplicationCounter::close);
        open.clear();
    }
}
