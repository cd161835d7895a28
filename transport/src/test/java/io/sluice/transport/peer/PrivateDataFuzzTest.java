package io.sluice.transport.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.kit.FuzzInputs;
import io.sluice.transport.settings.TransportId;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Bytes that arrive with connections, and texts that arrive as names of meeting places, from whomever. */
class PrivateDataFuzzTest {
    private static final int INPUTS = 300_000;
    private static final int MAX_LENGTH = 200;
    /** The longest text that is told: little of a stranger's bytes is in it. */
    private static final int MAX_TEXT_LENGTH = 300;
    private static final TransportId ID = new TransportId(-1, 7);
    private static final String ALPHABET = "|=?:/.-abcdef0123456789\u0000é ";
    private static final List<byte[]> VALID = List.of(
        PrivateData.connect(ID, 4711), PrivateData.accept(ID, 4711),
        PrivateData.reject(ID, 4711, GoodbyeReason.NOT_ALLOWED), new byte[0]);
    private static final List<String> CHANNELS = List.of(
        "sluice:ipc", "sluice:ipc?endpoint=prices|window=4m", "sluice:ipc?control=prices|control-mode=dynamic",
        "sluice:rdma?endpoint=10.0.0.1:40123", "sluice:rdma?control=[fe80::1]:40123|control-mode=dynamic",
        "sluice:rdma", "", "?", "|");

    private int taken;
    private int refused;

    @Test
    void shouldTakeOrRefuseAnyPrivateData() {
        FuzzInputs.feed("private-data", INPUTS, random -> {
            final byte[] bytes = bytes(random);
            final String problem = PrivateData.connectProblem(bytes);
            assertTrue(problem == null || !problem.isEmpty());
            if (problem == null) {
                taken++;
            } else {
                refused++;
            }
            PrivateData.acceptor(bytes);
            assertTrue(PrivateData.rejection(bytes, "").text().length() < MAX_TEXT_LENGTH);
        });
        assertTrue(!FuzzInputs.areMany() || taken > 1000 && refused > 1000, () -> "taken=" + taken + " of=" + refused);
    }

    private static byte[] bytes(final SplittableRandom random) {
        if (random.nextInt(4) == 0) {
            final byte[] noise = new byte[random.nextInt(MAX_LENGTH)];
            random.nextBytes(noise);
            return noise;
        }
        return FuzzInputs.mutated(VALID.get(random.nextInt(VALID.size())), random);
    }

    @Test
    void shouldFindAPlaceOrNoneForAnyChannelOfAPeer() {
        FuzzInputs.feed("rendezvous", INPUTS, random -> {
            final String channel =
                FuzzInputs.mutated(CHANNELS.get(random.nextInt(CHANNELS.size())), ALPHABET, random);
            final String name = RendezvousName.of(channel);
            assertTrue(name.length() <= channel.length() + "rdma-control/default".length());
            assertTrue(RendezvousName.isRdma(name) || !RendezvousName.isControl(name));
            assertNotNull(RendezvousName.address(name));
            assertNotNull(RendezvousName.port(name));
        });
    }

    @Test
    void shouldParseAnIdOrNone() {
        FuzzInputs.feed("transport-id", INPUTS, random -> {
            final TransportId id = new TransportId(random.nextLong(), random.nextLong());
            assertEquals(id, TransportId.parse(id.toString()));
            final String text = FuzzInputs.mutated(id.toString(), ALPHABET, random);
            final TransportId parsed = TransportId.parse(text);
            assertTrue(parsed == null || parsed.toString().equals(text), text);
        });
    }
}
