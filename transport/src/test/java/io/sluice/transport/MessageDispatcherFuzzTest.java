package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.samples.marketdata.IncrementalBookRefreshDecoder;
import io.sluice.samples.marketdata.IncrementalBookRefreshEncoder;
import io.sluice.samples.marketdata.InstrumentDefinitionDecoder;
import io.sluice.samples.marketdata.InstrumentDefinitionEncoder;
import io.sluice.samples.marketdata.MessageHeaderEncoder;
import io.sluice.samples.marketdata.QuoteDecoder;
import io.sluice.samples.marketdata.QuoteEncoder;
import io.sluice.samples.marketdata.TradeDecoder;
import io.sluice.samples.marketdata.TradeEncoder;
import io.sluice.transport.kit.FuzzInputs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;
import org.junit.jupiter.api.Test;

/**
 * Hostile bytes, in the middle of an array and dispatched by exactly their length. Every field is read, by way of
 * toString. A failure says how it is replayed.
 */
class MessageDispatcherFuzzTest {
    private static final int MESSAGES = 100_000;
    private static final int MAX_LENGTH = 300;
    private static final int MARGIN = 64;

    private final List<byte[]> valid = validMessages();
    private long dispatched;
    private long errors;
    private long defaulted;
    private long handled;
    private final MessageDispatcher dispatcher = new MessageDispatcher(
        (message, offset, length, header) -> defaulted++, this::onError)
        .on(new TradeDecoder(), this::readAll)
        .on(new QuoteDecoder(), this::readAll)
        .on(new IncrementalBookRefreshDecoder(), this::readAll)
        .on(new InstrumentDefinitionDecoder(), this::readAll);

    @Test
    void shouldNeverThrowAndLoseNothingWithRandomBytes() {
        FuzzInputs.feed("dispatcher-noise", MESSAGES, random -> {
            final byte[] bytes = new byte[random.nextInt(MAX_LENGTH)];
            random.nextBytes(bytes);
            dispatch(bytes);
        });
        assertEverythingIsAccountedFor(dispatched);
        assertTrue(defaulted >= dispatched - dispatched / 1000, () -> "defaulted=" + defaulted);
    }

    @Test
    void shouldNeverThrowAndLoseNothingBehindAValidHeader() {
        FuzzInputs.feed("dispatcher-header", MESSAGES, random -> {
            final byte[] bytes = new byte[8 + random.nextInt(MAX_LENGTH)];
            random.nextBytes(bytes);
            System.arraycopy(valid.get(random.nextInt(valid.size())), 0, bytes, 0, 8);
            dispatch(bytes);
        });
        assertEverythingIsAccountedFor(dispatched);
        assertTrue(!FuzzInputs.areMany() || handled > 1000 && errors > 1000 && defaulted > 1000,
            () -> "handled=" + handled + " errors=" + errors + " defaulted=" + defaulted);
    }

    @Test
    void shouldNeverThrowAndLoseNothingWithMutatedMessages() {
        FuzzInputs.feed("dispatcher-mutated", MESSAGES, random -> {
            byte[] bytes = valid.get(random.nextInt(valid.size())).clone();
            for (int j = random.nextInt(4); j >= 0; j--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            if (random.nextBoolean()) {
                bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 20));
            }
            dispatch(bytes);
        });
        assertEverythingIsAccountedFor(dispatched);
        assertTrue(!FuzzInputs.areMany() || dispatcher.malformedCount() > 1000 && dispatcher.foreignCount() > 1000
            && dispatcher.unknownTemplateCount() > 1000 && handled > 1000);
    }

    @Test
    void shouldNeverThrowWithAnyTruncation() {
        for (final byte[] bytes : valid) {
            for (int length = 0; length <= bytes.length; length++) {
                dispatch(Arrays.copyOf(bytes, length));
            }
        }
        assertEverythingIsAccountedFor(dispatched);
        assertEquals(valid.size(), handled);
    }

    private void readAll(final MessageDecoderFlyweight message, final Header header) {
        message.appendTo(new StringBuilder());
        handled++;
    }

    private void onError(final Throwable error) {
        assertInstanceOf(IndexOutOfBoundsException.class, error.getCause());
        errors++;
    }

    private void dispatch(final byte[] bytes) {
        dispatched++;
        final byte[] around = new byte[bytes.length + 2 * MARGIN];
        System.arraycopy(bytes, 0, around, MARGIN, bytes.length);
        dispatcher.onFragment(new UnsafeBuffer(around), MARGIN, bytes.length, null);
    }

    private void assertEverythingIsAccountedFor(final long count) {
        assertEquals(count, defaulted + handled + errors);
        assertEquals(handled + errors, dispatcher.dispatchedCount());
        assertEquals(defaulted, dispatcher.foreignCount() + dispatcher.unknownTemplateCount()
            + dispatcher.malformedCount() - errors);
    }

    private static List<byte[]> validMessages() {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[MAX_LENGTH]);
        final MessageHeaderEncoder header = new MessageHeaderEncoder();
        final List<byte[]> messages = new ArrayList<>();
        messages.add(copy(buffer, new TradeEncoder().wrapAndApplyHeader(buffer, 0, header).encodedLength()));
        messages.add(copy(buffer, new QuoteEncoder().wrapAndApplyHeader(buffer, 0, header).encodedLength()));
        final IncrementalBookRefreshEncoder refresh =
            new IncrementalBookRefreshEncoder().wrapAndApplyHeader(buffer, 0, header);
        final IncrementalBookRefreshEncoder.EntriesEncoder entries = refresh.entriesCount(4);
        for (int i = 0; i < 4; i++) {
            entries.next().instrumentId(i);
        }
        messages.add(copy(buffer, refresh.encodedLength()));
        final InstrumentDefinitionEncoder definition =
            new InstrumentDefinitionEncoder().wrapAndApplyHeader(buffer, 0, header);
        definition.symbol("EURUSD").description("Euro in US dollars").exchange("XSLU");
        messages.add(copy(buffer, definition.encodedLength()));
        return messages;
    }

    private static byte[] copy(final UnsafeBuffer buffer, final int encodedLength) {
        return Arrays.copyOf(buffer.byteArray(), MessageDispatcher.HEADER_LENGTH + encodedLength);
    }
}
