package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.foreign.SystemCalls;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One thread of a server that waits with poll(2) for requests, events and completions of all its clients, reads the
 * name of each from its memory, and ends the connection; librpma's examples 06-multiple-connections and
 * 06scch-multiple-connections.
 */
class MultipleConnectionsFlowTest extends RpmaDeviceTests {
    private static final int PLACES = 3;
    private static final int NAME_LENGTH = 32;

    private final List<Guest> guests = new ArrayList<>();
    private final WorkCompletions completions = new WorkCompletions(1);
    private final Set<String> names = new HashSet<>();
    private RpmaConnectionConfiguration configuration;
    private RpmaMemoryRegion region;
    private int refused;

    /** A client, as the server knows it. */
    private final class Guest {
        private final RpmaConnection connection;
        private final int place;
        private boolean isGone;

        private Guest(final RpmaConnection connection, final int place) {
            this.connection = connection;
            this.place = place;
        }

        private int completionDescriptor() {
            return configuration.sharesCompletionChannel()
                ? connection.completionDescriptor() : connection.completionQueue().descriptor();
        }

        private void onEvent() {
            final RpmaConnectionEvent event = connection.nextEvent(0);
            if (event == RpmaConnectionEvent.ESTABLISHED) {
                final RpmaRemoteRegion remote = rig.serverPeer.remoteRegion(connection.privateData());
                assertEquals(RpmaError.OK, connection.read(region, place * NAME_LENGTH, remote, 0, NAME_LENGTH,
                    RpmaCompletionFlags.ALWAYS, place));
                // what is posted does not need it any more
                remote.close();
            } else if (event != null) {
                assertEquals(RpmaConnectionEvent.CLOSED, event);
                isGone = true;
            }
        }

        private void onCompletion() {
            final int result = configuration.sharesCompletionChannel()
                ? connection.awaitCompletion(0) : connection.completionQueue().await(0);
            assertEquals(RpmaError.OK, result);
            if (connection.completionQueue().getCompletion(completions) == RpmaError.OK) {
                assertEquals(WorkStatus.SUCCESS, completions.status(0));
                assertEquals(WorkOpcode.RDMA_READ, completions.opcode(0));
                assertEquals(NAME_LENGTH, completions.byteLength(0));
                assertEquals(place, completions.workRequestId(0));
                assertEquals(connection.queuePairNumber(), completions.queuePairNumber(0));
                names.add(region.buffer().getStringWithoutLengthAscii(place * NAME_LENGTH, nameOf(place).length()));
                connection.disconnect();
            }
        }
    }

    private static String nameOf(final int client) {
        return "client number " + client;
    }

    private RpmaSide newClient(final int number) {
        final SideOptions options = new SideOptions();
        final RpmaSide client = new RpmaSide(rig, rig.clientPeer, options);
        client.buffer.putStringWithoutLengthAscii(0, nameOf(number));
        options.privateData(client.region.descriptor());
        client.connect(rig.clientPeer.requestConnection(rig.address, rig.port(), RpmaRig.CONFIGURATION));
        return client;
    }

    private void onRequest() {
        final RpmaConnectionRequest request = rig.endpoint().nextConnectionRequest(configuration, 0);
        assertNotNull(request);
        if (guests.size() < PLACES) {
            guests.add(new Guest(rig.keep(request.connect()), guests.size()));
        } else {
            request.close();
            refused++;
        }
    }

    /** Wait for all descriptors at once, and handle what can be read. */
    private void serveOnce() {
        final List<Guest> present = guests.stream().filter(guest -> !guest.isGone).toList();
        final int[] descriptors = new int[1 + 2 * present.size()];
        descriptors[0] = rig.endpoint().eventDescriptor();
        for (int i = 0; i < present.size(); i++) {
            descriptors[1 + 2 * i] = present.get(i).connection.eventDescriptor();
            descriptors[2 + 2 * i] = present.get(i).completionDescriptor();
        }
        final MemorySegment records = SystemCalls.pollRecords(descriptors);
        assertTrue(SystemCalls.await(records, RpmaRig.TIMEOUT_NS), "nothing happens");
        for (int i = 0; i < present.size(); i++) {
            if (SystemCalls.isReadable(records, 2 + 2 * i)) {
                present.get(i).onCompletion();
            }
            if (SystemCalls.isReadable(records, 1 + 2 * i)) {
                present.get(i).onEvent();
            }
        }
        if (SystemCalls.isReadable(records, 0)) {
            onRequest();
        }
    }

    private void serveUntil(final BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            serveOnce();
        }
    }

    /** Each client learns that it is dismissed, and answers. */
    private void leave(final List<RpmaSide> clients) {
        for (final RpmaSide client : clients) {
            client.awaitEvent(RpmaConnectionEvent.CLOSED);
            client.connection.disconnect();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldServeSeveralClientsByTheirDescriptors(final boolean sharesChannel) {
        configuration = RpmaRig.CONFIGURATION.withSharedCompletionChannel(sharesChannel);
        region = rig.keep(rig.serverPeer.register(PLACES * NAME_LENGTH, RpmaUsage.READ_DESTINATION));
        rig.endpoint();
        final List<RpmaSide> clients = new ArrayList<>();
        final Set<String> expected = new HashSet<>();
        for (int i = 0; i < PLACES; i++) {
            clients.add(newClient(i));
            expected.add(nameOf(i));
        }

        serveUntil(() -> guests.size() == PLACES);
        clients.forEach(client -> client.awaitEvent(RpmaConnectionEvent.ESTABLISHED));
        final RpmaSide late = newClient(PLACES);
        serveUntil(() -> names.size() == PLACES && refused > 0);
        leave(clients);
        serveUntil(() -> guests.stream().allMatch(guest -> guest.isGone));

        late.awaitEvent(RpmaConnectionEvent.REJECTED);
        assertEquals(expected, names);
        assertEquals(1, refused);
    }
}
