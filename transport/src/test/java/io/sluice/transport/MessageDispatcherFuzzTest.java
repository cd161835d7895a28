package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.marketdata.IncrementalBookRefreshDecoder;
import io.sluice.codec.marketdata.IncrementalBookRefreshEncoder;
import io.sluice.codec.marketdata.InstrumentDefinitionDecoder;
import io.sluice.codec.marketdata.InstrumentDefinitionEncoder;
import io.sluice.codec.marketdata.MessageHeaderEncoder;
import io.sluice.codec.marketdata.QuoteDecoder;
import io.sluice.codec.marketdata.QuoteEncoder;
import io.sluice.codec.marketdata.TradeDecoder;
import io.sluice.codec.marketdata.TradeEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageDecoderFlyweight;
import org.junit.jupiter.api.Test;

/**
 * Hostile bytes, in the middle of an array and dispatched by exactly their length. Every field is read, by way of
 * toString. Seeds are fixed: a failure repeats.
 */
class MessageDispatcherFuzzTest {
    private static final int MESSAGES = 100_000;
    private static final int MAX_LENGTH = 300;
    private static final int MARGIN = 64;

    private final List<byte[]> valid = validMessages();
    private final List<Throwable> errors = new ArrayList<>();
    private long defaulted;
    private long handled;
    private final MessageDispatcher dispatcher = new MessageDispatcher(
        (message, offset, length, header) -> defaulted++, errors::add)
        .on(new TradeDecoder(), this::readAll)
        .on(new QuoteDecoder(), this::readAll)
        .on(new IncrementalBookRefreshDecoder(), this::readAll)
        .on(new InstrumentDefinitionDecoder(), this::readAll);

    @Test
    void shouldNeverThrowAndLoseNothingWithRandomBytes() {
        final Random random = new Random(30_001);
        for (int i = 0; i < MESSAGES; i++) {
            final byte[] bytes = new byte[random.nextInt(MAX_LENGTH)];
            random.nextBytes(bytes);
            dispatch(bytes);
        }
        assertEverythingIsAccountedFor(MESSAGES);
        assertEquals(MESSAGES, defaulted);
    }

    @Test
    void shouldNeverThrowAndLoseNothingBehindAValidHeader() {
        final Random random = new Random(30_002);
        for (int i = 0; i < MESSAGES; i++) {
            final byte[] bytes = new byte[8 + random.nextInt(MAX_LENGTH)];
            random.nextBytes(bytes);
            System.arraycopy(valid.get(random.nextInt(valid.size())), 0, bytes, 0, 8);
            dispatch(bytes);
        }
        assertEverythingIsAccountedFor(MESSAGES);
        assertTrue(handled > 1000 && errors.size() > 1000 && defaulted > 1000,
            () -> "handled=" + handled + " errors=" + errors.size() + " defaulted=" + defaulted);
    }

    @Test
    void shouldNeverThrowAndLoseNothingWithMutatedMessages() {
        final Random random = new Random(30_003);
        for (int i = 0; i < MESSAGES; i++) {
            byte[] bytes = valid.get(random.nextInt(valid.size())).clone();
            for (int j = random.nextInt(4); j >= 0; j--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            if (random.nextBoolean()) {
                bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 20));
            }
            dispatch(bytes);
        }
        assertEverythingIsAccountedFor(MESSAGES);
        assertTrue(dispatcher.malformedCount() > 1000 && dispatcher.foreignCount() > 1000
            && dispatcher.unknownTemplateCount() > 1000 && handled > 1000);
    }

    @Test
    void shouldNeverThrowWithAnyTruncation() {
        int count = 0;
        for (final byte[] bytes : valid) {
            for (int length = 0; length <= bytes.length; length++) {
                dispatch(Arrays.copyOf(bytes, length));
                count++;
            }
        }
        assertEverythingIsAccountedFor(count);
        assertEquals(valid.size(), handled);
    }

    private void readAll(final MessageDecoderFlyweight message, final Header header) {
        message.appendTo(new StringBuilder());
        handled++;
    }

    private void dispatch(final byte[] bytes) {
        final byte[] around = new byte[bytes.length + 2 * MARGIN];
        System.arraycopy(bytes, 0, around, MARGIN, bytes.length);
        dispatcher.onMessage(new UnsafeBuffer(around), MARGIN, bytes.length, null);
    }

    private void assertEverythingIsAccountedFor(final int count) {
        errors.forEach(error -> assertInstanceOf(IndexOutOfBoundsException.class, error.getCause()));
        assertEquals(count, defaulted + handled + errors.size());
        assertEquals(handled + errors.size(), dispatcher.dispatchedCount());
        assertEquals(defaulted, dispatcher.foreignCount() + dispatcher.unknownTemplateCount()
            + dispatcher.malformedCount() - errors.size());
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
