package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.carrier.CommitResult;
import io.sluice.transport.carrier.Offers;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.pressure.PressureSignal;
import io.sluice.transport.send.FlowControl;
import io.sluice.transport.status.SubscriberLag;
import io.sluice.transport.stream.LogOptions;
import io.sluice.transport.stream.MessageBounds;
import io.sluice.transport.stream.PublicationEnd;
import io.sluice.transport.stream.PublicationOptions;
import io.sluice.transport.stream.SessionChoice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Publications whose messages something else carries than a log over verbs, by what they ask of it. */
class OtherCarrierTest {
    private static final int FRAME = 64;
    private static final int HEADER = ReservedValueSupplier.HEADER_LENGTH;
    private static final int MOST = FRAME - HEADER;
    private static final long UNBLOCK_NS = 5;

    private final Pieces pieces = new Pieces();
    private final End end = new End(() -> pieces);
    private final UnsafeBuffer message = new UnsafeBuffer("abcd".getBytes(StandardCharsets.US_ASCII));

    /** Offers of frames of one length, each of which lies in memory of its own. */
    private static final class Pieces extends Offers {
        private final List<UnsafeBuffer> memory = new ArrayList<>();
        private final List<String> ended = new ArrayList<>();
        private CommitResult result = CommitResult.SENT;

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length, final long reservedValue) {
            final long end = claim(length);
            putBytes(end - FRAME, 0, buffer, offset, length);
            commit(end - FRAME, length, reservedValue);
            return end;
        }

        @Override
        public long offer(
            final DirectBuffer first,
            final int firstOffset,
            final int firstLength,
            final DirectBuffer second,
            final int secondOffset,
            final int secondLength) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long claim(final int length) {
            memory.add(new UnsafeBuffer(new byte[FRAME]));
            return position();
        }

        @Override
        public CommitResult commit(final long position, final int length, final long reservedValue) {
            ended.add("commit " + position + " " + length + " " + reservedValue);
            return result;
        }

        @Override
        public void abort(final long position, final int length) {
            ended.add("abort " + position + " " + length);
        }

        @Override
        public long claimed(final long end, final int length) {
            return end - FRAME;
        }

        @Override
        public long claimEnd(final long position, final int length) {
            return position + FRAME;
        }

        @Override
        public void putBytes(
            final long position,
            final int messageOffset,
            final DirectBuffer source,
            final int offset,
            final int length) {
            buffer(position).putBytes(messageOffset(position) + messageOffset, source, offset, length);
        }

        @Override
        public long pad(final int length) {
            ended.add("pad " + length);
            return claim(length);
        }

        @Override
        public UnsafeBuffer buffer(final long position) {
            return memory.get((int) (position / FRAME));
        }

        @Override
        public int frameOffset(final long position) {
            return 0;
        }

        @Override
        public int messageOffset(final long position) {
            return HEADER;
        }

        @Override
        public boolean isClaimOpen() {
            return false;
        }

        @Override
        public boolean isClosed() {
            return isShut();
        }

        @Override
        public long position() {
            return (long) memory.size() * FRAME;
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public long positionLimit() {
            return Long.MAX_VALUE;
        }

        @Override
        public long availableWindow() {
            return Long.MAX_VALUE;
        }
    }

    /** The end of a stream that has these offers only. */
    private static final class End extends PublicationEnd {
        private final Supplier<Pieces> offers;
        private boolean isClosed;

        private End(final Supplier<Pieces> offers) {
            super(new PublicationOptions("sluice:ipc", new Medium.Party("here", true, null), 7,
                new SessionChoice(11, true), new LogOptions(4096, false, false, false), 1, 0L, FlowControl.min(0)));
            this.offers = offers;
        }

        @Override
        public MessageBounds bounds() {
            return new MessageBounds(MOST, MOST / 2, UNBLOCK_NS);
        }

        @Override
        public Offers newOffers() {
            return offers.get();
        }

        @Override
        public PressureSignal pressure() {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<SubscriberLag> lags() {
            return List.of();
        }

        @Override
        public void close() {
            isClosed = true;
        }

        @Override
        public boolean isClosed() {
            return isClosed;
        }

        @Override
        public boolean isDrained() {
            return isClosed;
        }

        @Override
        public boolean isReleased() {
            return isClosed;
        }
    }

    private String text(final long position) {
        return pieces.buffer(position).getStringWithoutLengthAscii(HEADER, message.capacity());
    }

    @Test
    void shouldClaimInTheMemoryOfEachClaim() {
        final ExclusivePublication publication = new ExclusivePublication(end);
        final BufferClaim first = new BufferClaim();
        final BufferClaim second = new BufferClaim();

        assertEquals(FRAME, publication.tryClaim(message.capacity(), first));
        assertEquals(2 * FRAME, publication.tryClaim(message.capacity(), second));
        second.putBytes(message, 0, message.capacity()).reservedValue(3).commit();
        first.abort();

        assertEquals("abcd", text(FRAME));
        assertEquals(List.of("commit 64 4 3", "abort 0 4"), pieces.ended);
    }

    @Test
    void shouldShowASupplierTheMemoryOfItsMessage() {
        final ExclusivePublication publication = new ExclusivePublication(end);
        publication.offer(message);

        assertEquals(2 * FRAME, publication.offer(message, 0, message.capacity(),
            (buffer, offset, length) -> buffer.getByte(offset + HEADER) + length));

        assertEquals("abcd", text(FRAME));
        assertEquals(List.of("commit 0 4 0", "commit 64 4 " + ('a' + HEADER + 4)), pieces.ended);
    }

    @Test
    void shouldLeaveThePaddingToIt() {
        assertEquals(FRAME, new ExclusivePublication(end).appendPadding(9));
        assertEquals(List.of("pad 9"), pieces.ended);
    }

    @Test
    void shouldHaveItsBounds() {
        final ExclusivePublication publication = new ExclusivePublication(end);
        final BufferClaim claim = new BufferClaim();

        assertEquals(MOST, publication.maxMessageLength());
        assertEquals(MOST / 2, publication.maxPayloadLength());
        assertThrows(IllegalArgumentException.class, () -> publication.tryClaim(MOST + 1, claim));
        publication.tryClaim(MOST, claim);
        pieces.result = CommitResult.GIVEN_UP;
        final String given = assertThrows(IllegalStateException.class, claim::commit).getMessage();
        assertTrue(given.contains("unblockTimeoutNs=" + UNBLOCK_NS), given);
    }

    @Test
    void shouldShareItUntilTheLastHandleIsClosed() {
        final SharedPublications shared = new SharedPublications();
        final End one = new End(Pieces::new);
        final End another = new End(Pieces::new);
        final ConcurrentPublication first = shared.add(one.options(), true, options -> one);
        final ConcurrentPublication second = shared.add(one.options(), true, options -> another);

        assertSame(one, second.state());
        first.close();
        assertFalse(one.isClosed());
        second.close();
        assertTrue(one.isClosed());
        assertSame(another, shared.add(one.options(), true, options -> another).state());
    }

    @Test
    void shouldRefuseASecondOneOfItsSession() {
        final OpenSessions sessions = new OpenSessions();
        sessions.add(end.options(), true, () -> end);

        assertThrows(IllegalArgumentException.class, () -> sessions.add(end.options(), true, () -> end));
        end.close();
        sessions.add(end.options(), true, () -> new End(Pieces::new));
    }
}
