package io.sluice.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.control.HeartbeatDecoder;
import io.sluice.codec.control.HelloDecoder;
import io.sluice.codec.control.LinkBrokenDecoder;
import io.sluice.codec.next.Authentication;
import io.sluice.codec.next.GoodbyeDecoder;
import io.sluice.codec.next.GoodbyeEncoder;
import io.sluice.codec.next.GoodbyeReason;
import io.sluice.codec.next.HeartbeatEncoder;
import io.sluice.codec.next.HelloEncoder;
import io.sluice.codec.next.LinkBrokenEncoder;
import io.sluice.codec.next.LinkBrokenReason;
import io.sluice.codec.next.MessageHeaderDecoder;
import io.sluice.codec.next.MessageHeaderEncoder;
import io.sluice.codec.next.RedirectEncoder;
import io.sluice.codec.next.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** This version against the bytes of an imagined next one (sluice-protocol-next.xml), and the reverse. */
class SchemaEvolutionTest {
    private static final int VERSION_OFFSET = MessageHeaderEncoder.versionEncodingOffset();

    private final byte[] bytes = new byte[ControlDescriptor.MAX_CONTROL_MESSAGE_LENGTH];
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final List<String> seen = new ArrayList<>();

    @BeforeEach
    void fillWithWhatNobodyWrote() {
        Arrays.fill(bytes, (byte) 0xCC);
    }

    @Test
    void shouldReadANewerHelloWithoutItsNewField() {
        HelloEncoder hello = new HelloEncoder().wrapAndApplyHeader(buffer, 0, header);
        hello.processId(5).livenessTimeoutNs(6).heartbeatIntervalNs(7).protocolVersion(2).oldestProtocolVersion(1)
            .authentication(Authentication.HMAC_SHA256).capabilities(0x1234).clientName("client").endpoint("host:1");
        hello.transportId().high(1).low(2);

        assertEquals(ControlMessageReader.OK, read(hello.encodedLength(), decoder -> {
            HelloDecoder older = (HelloDecoder) decoder;
            assertEquals(2, older.actingVersion());
            assertEquals(1, older.transportId().high());
            assertEquals(2, older.transportId().low());
            assertEquals(5, older.processId());
            assertEquals(6, older.livenessTimeoutNs());
            assertEquals(7, older.heartbeatIntervalNs());
            assertEquals(2, older.protocolVersion());
            assertEquals(1, older.oldestProtocolVersion());
            assertEquals(io.sluice.codec.control.Authentication.HMAC_SHA256, older.authentication());
            assertEquals("client", older.clientName());
            assertEquals("host:1", older.endpoint());
        }));
        assertEquals(1, seen.size());
    }

    @Test
    void shouldReadANewerHeartbeatWithLongerEntries() {
        HeartbeatEncoder heartbeat = new HeartbeatEncoder().wrapAndApplyHeader(buffer, 0, header);
        heartbeat.sequence(10).timeNs(11).cycleTimeNs(12);
        HeartbeatEncoder.LinksEncoder links = heartbeat.linksCount(3);
        for (int i = 1; i <= 3; i++) {
            links.next().linkId(i).position(32L * i).epoch(i).role(Role.SUBSCRIPTION).consumedPosition(1);
        }

        assertEquals(ControlMessageReader.OK, read(heartbeat.encodedLength(), decoder -> {
            HeartbeatDecoder older = (HeartbeatDecoder) decoder;
            assertEquals(10, older.sequence());
            assertEquals(11, older.timeNs());
            HeartbeatDecoder.LinksDecoder entries = older.links();
            assertEquals(3, entries.count());
            for (int i = 1; i <= 3; i++) {
                entries.next();
                assertEquals(i, entries.linkId());
                assertEquals(32L * i, entries.position());
                assertEquals(i, entries.epoch());
                assertEquals(io.sluice.codec.control.Role.SUBSCRIPTION, entries.role());
            }
            assertFalse(entries.hasNext());
        }));
        assertEquals(1, seen.size());
    }

    @Test
    void shouldReadANewerReasonAndFlagAsUnknown() {
        int length = linkBroken(Role.PUBLICATION);
        assertEquals(ControlMessageReader.OK, read(length, decoder -> {
            LinkBrokenDecoder older = (LinkBrokenDecoder) decoder;
            assertEquals(io.sluice.codec.control.LinkBrokenReason.SBE_UNKNOWN, older.reason());
            assertEquals(LinkBrokenReason.HOT_UNPLUG.value(), older.reasonRaw());
            assertTrue(older.flags().quiesced());
            assertEquals("pulled", older.text());
        }));
        assertEquals(1, seen.size());
    }

    @Test
    void shouldRefuseTheSameReasonAndFlagInThisVersion() {
        int length = linkBroken(Role.PUBLICATION);
        bytes[VERSION_OFFSET] = 1;
        assertEquals(ControlMessageReader.BAD_VALUE, read(length, decoder -> { }));
    }

    @Test
    void shouldRefuseANewerRoleBecauseItDecides() {
        int length = linkBroken(Role.OBSERVER);
        assertEquals(ControlMessageReader.BAD_VALUE, read(length, decoder -> { }));
    }

    @Test
    void shouldIgnoreANewerVariablePartAtTheEnd() {
        GoodbyeEncoder goodbye = new GoodbyeEncoder().wrapAndApplyHeader(buffer, 0, header);
        goodbye.reason(GoodbyeReason.CLOSED).text("moving").successor("elsewhere");
        int length = goodbye.encodedLength();
        assertEquals(ControlMessageReader.OK, read(length, decoder -> { }));
        assertTrue(seen.getFirst().contains("text='moving'"), seen::toString);
        bytes[VERSION_OFFSET] = 1;
        assertEquals(ControlMessageReader.TRAILING_BYTES, read(length, decoder -> { }));
    }

    @Test
    void shouldReportANewerTemplateAsUnknown() {
        RedirectEncoder redirect = new RedirectEncoder().wrapAndApplyHeader(buffer, 0, header);
        redirect.linkId(1);
        assertEquals(ControlMessageReader.UNKNOWN_TEMPLATE, read(redirect.encodedLength(), decoder -> { }));
    }

    @Test
    void shouldRefuseANewerMessageWithAShorterBlock() {
        byte[] goodbye = GoldenMessage.GOODBYE.bytes();
        goodbye[0] = 0;
        goodbye[VERSION_OFFSET] = 2;
        buffer.putBytes(0, goodbye);
        assertEquals(ControlMessageReader.BAD_LENGTH, read(goodbye.length - header.encodedLength(), decoder -> { }));
    }

    @Test
    void shouldFindTheTruncationOfANewerMessage() {
        HelloEncoder hello = new HelloEncoder().wrapAndApplyHeader(buffer, 0, header);
        hello.clientName("client").endpoint("host:1");
        for (int length = 0; length < hello.encodedLength(); length++) {
            assertEquals(ControlMessageReader.TRUNCATED, read(length, decoder -> { }));
        }
    }

    @Test
    void shouldLetANewerDecoderReadTheHelloOfThisVersion() {
        UnsafeBuffer golden = new UnsafeBuffer(GoldenMessage.HELLO.bytes());
        io.sluice.codec.next.HelloDecoder newer =
            new io.sluice.codec.next.HelloDecoder().wrapAndApplyHeader(golden, 0, new MessageHeaderDecoder());
        assertEquals(1, newer.actingVersion());
        assertEquals(0x0123456789ABCDEFL, newer.transportId().high());
        assertEquals(4242, newer.processId());
        assertEquals(Authentication.HMAC_SHA256, newer.authentication());
        assertEquals(io.sluice.codec.next.HelloDecoder.capabilitiesNullValue(), newer.capabilities());
        assertEquals("pricer", newer.clientName());
        assertEquals("10.0.0.1:40123", newer.endpoint());
        assertEquals(golden.capacity(), newer.limit());
    }

    @Test
    void shouldLetANewerDecoderReadTheHeartbeatOfThisVersion() {
        UnsafeBuffer golden = new UnsafeBuffer(GoldenMessage.HEARTBEAT.bytes());
        io.sluice.codec.next.HeartbeatDecoder newer =
            new io.sluice.codec.next.HeartbeatDecoder().wrapAndApplyHeader(golden, 0, new MessageHeaderDecoder());
        assertEquals(99, newer.sequence());
        assertEquals(io.sluice.codec.next.HeartbeatDecoder.cycleTimeNsNullValue(), newer.cycleTimeNs());
        io.sluice.codec.next.HeartbeatDecoder.LinksDecoder links = newer.links();
        assertEquals(2, links.count());
        assertEquals(2, links.next().linkId());
        assertEquals(-1, links.consumedPosition());
        assertEquals(3, links.next().linkId());
        assertEquals(4, links.epoch());
        assertEquals(Role.SUBSCRIPTION, links.role());
        assertEquals(-1, links.consumedPosition());
        assertEquals(golden.capacity(), newer.limit());
    }

    @Test
    void shouldLetANewerDecoderReadTheGoodbyeOfThisVersion() {
        UnsafeBuffer golden = new UnsafeBuffer(GoldenMessage.GOODBYE.bytes());
        GoodbyeDecoder newer = new GoodbyeDecoder().wrapAndApplyHeader(golden, 0, new MessageHeaderDecoder());
        assertEquals("version 2", newer.text());
        assertEquals("", newer.successor());
        assertEquals(golden.capacity(), newer.limit());
    }

    private int linkBroken(Role role) {
        LinkBrokenEncoder linkBroken = new LinkBrokenEncoder().wrapAndApplyHeader(buffer, 0, header);
        linkBroken.linkId(1).receivedPosition(32).publicationPosition(LinkBrokenEncoder.publicationPositionNullValue())
            .epoch(1).role(role).reason(LinkBrokenReason.HOT_UNPLUG).text("pulled");
        linkBroken.flags().clear().quiesced(true).draining(true);
        return linkBroken.encodedLength();
    }

    /** Reads a message of this many bytes behind the header from a buffer of exactly its length. */
    private int read(int encodedLength, Consumer<Object> check) {
        UnsafeBuffer exact = new UnsafeBuffer(Arrays.copyOf(bytes, header.encodedLength() + encodedLength));
        ControlMessageReader reader = new ControlMessageReader(new DecodingHandler(decoder -> {
            seen.add(decoder.toString());
            check.accept(decoder);
        }));
        return reader.read(exact, 0, exact.capacity());
    }
}
