package io.sluice.transport.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.ControlDescriptor;
import io.sluice.codec.ControlMessageReader;
import io.sluice.transport.kit.CapturedMessages;
import io.sluice.transport.settings.PreSharedKey;
import io.sluice.transport.settings.TransportId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every handshake that two transports with the key, and an attacker without it, can have over connections of each kind.
 * The attacker sees and passes on, changes, repeats, reflects or drops whatever is said on any of them, and says what
 * it likes; it cannot compute a digest. A proof must mean that a transport with the key is at the other end of that
 * very connection and has seen the same handshake. Real digests and messages; what may be heard is all enumerated.
 */
class HandshakeCheckerTest {
    private static final TransportId ALICE = new TransportId(1, 10);
    private static final TransportId BOB = new TransportId(2, 20);
    private static final TransportId MALLORY = new TransportId(3, 30);
    private static final List<TransportId> IDS = List.of(ALICE, BOB, MALLORY);
    private static final List<Integer> VERSIONS =
        List.of(ControlDescriptor.PROTOCOL_VERSION, ControlDescriptor.PROTOCOL_VERSION + 1);
    private static final byte[] MALLORYS_NONCE = new byte[ControlDescriptor.NONCE_LENGTH];
    /** A length and 16 bytes. */
    private static final int ADDRESS_LENGTH = 1 + 16;
    private static final byte[] MAGIC_AND_VERSION = {0x41, 0x50, 0x51, 0x53, 1};
    /** Names of process folders are equally long here. */
    private static final int FOLDER_LENGTH = 8;
    private static final int FOLDER_OFFSET = MAGIC_AND_VERSION.length + 1;
    /** A completion queue and a slot in it, by which nobody is known. */
    private static final int KNOCK_LENGTH = 2 * Integer.BYTES;

    /** The order in which the parts of a connection are laid out, see {@link io.sluice.verbs.Connection#binding}. */
    private enum Layout {
        RDMA {
            @Override
            byte[] bytes(final Place place) {
                return ByteBuffer.allocate(ADDRESS_LENGTH + Integer.BYTES)
                    .put((byte) place.address().length())
                    .put(ascii(place.address(), ADDRESS_LENGTH - 1))
                    .putInt(place.number())
                    .array();
            }
        },
        IPC {
            @Override
            byte[] bytes(final Place place) {
                return ByteBuffer.allocate(FOLDER_OFFSET + FOLDER_LENGTH + Integer.BYTES + Long.BYTES + KNOCK_LENGTH)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put(MAGIC_AND_VERSION)
                    .put((byte) FOLDER_LENGTH)
                    .put(ascii(place.address(), FOLDER_LENGTH))
                    .putInt(place.number())
                    .putLong(place.random())
                    .array();
            }
        };

        abstract byte[] bytes(Place place);

        private static byte[] ascii(final String text, final int length) {
            return Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), length);
        }
    }

    /** Fields that a digest covers, in order, and of each layout at last all that the connection is made of. */
    private enum Field {
        ROLE(PeerAuthentication.ROLE_OFFSET, PeerAuthentication.CHALLENGE_OFFSET),
        CHALLENGE(PeerAuthentication.CHALLENGE_OFFSET, PeerAuthentication.ANSWERING_NONCE_OFFSET),
        ANSWERING_NONCE(PeerAuthentication.ANSWERING_NONCE_OFFSET, PeerAuthentication.CHALLENGING_ID_OFFSET),
        CHALLENGING_ID(PeerAuthentication.CHALLENGING_ID_OFFSET, PeerAuthentication.ANSWERING_ID_OFFSET),
        ANSWERING_ID(PeerAuthentication.ANSWERING_ID_OFFSET, PeerAuthentication.VERSION_OFFSET),
        VERSION(PeerAuthentication.VERSION_OFFSET, PeerAuthentication.BINDING_OFFSET),
        CONNECTING_ADDRESS(Layout.RDMA, VERSION.end, ADDRESS_LENGTH),
        CONNECTING_NUMBER(Layout.RDMA, CONNECTING_ADDRESS.end, Integer.BYTES),
        LISTENING_ADDRESS(Layout.RDMA, CONNECTING_NUMBER.end, ADDRESS_LENGTH),
        LISTENING_NUMBER(Layout.RDMA, LISTENING_ADDRESS.end, Integer.BYTES),
        ADDRESSES_AND_NUMBERS(Layout.RDMA, VERSION.end, LISTENING_NUMBER.end - VERSION.end),
        CONNECTING_FOLDER(Layout.IPC, VERSION.end + FOLDER_OFFSET, FOLDER_LENGTH),
        CONNECTING_IPC_NUMBER(Layout.IPC, CONNECTING_FOLDER.end, Integer.BYTES),
        CONNECTING_RANDOM(Layout.IPC, CONNECTING_IPC_NUMBER.end, Long.BYTES),
        CONNECTING_END(Layout.IPC, VERSION.end, CONNECTING_RANDOM.end + KNOCK_LENGTH - VERSION.end),
        LISTENING_FOLDER(Layout.IPC, CONNECTING_END.end + FOLDER_OFFSET, FOLDER_LENGTH),
        LISTENING_IPC_NUMBER(Layout.IPC, LISTENING_FOLDER.end, Integer.BYTES),
        LISTENING_RANDOM(Layout.IPC, LISTENING_IPC_NUMBER.end, Long.BYTES),
        LISTENING_END(Layout.IPC, CONNECTING_END.end, LISTENING_RANDOM.end + KNOCK_LENGTH - CONNECTING_END.end),
        BOTH_ENDS(Layout.IPC, VERSION.end, LISTENING_END.end - VERSION.end);

        /** The only layout with the field, null when it is there in either. */
        private final Layout layout;
        private final int offset;
        private final int end;

        Field(final int offset, final int end) {
            layout = null;
            this.offset = offset;
            this.end = end;
        }

        Field(final Layout layout, final int offset, final int length) {
            this.layout = layout;
            this.offset = offset;
            end = offset + length;
        }

        boolean isIn(final Layout other) {
            return layout == null || layout == other;
        }

        byte[] takenOutOf(final byte[] bytes) {
            final byte[] rest = Arrays.copyOf(bytes, bytes.length - (end - offset));
            System.arraycopy(bytes, end, rest, offset, bytes.length - end);
            return rest;
        }
    }

    /**
     * The place where the queue pair of one end is.
     *
     * @param address address of the end over rdma, process folder in shared memory.
     * @param number  of the queue pair.
     * @param random  number of the queue pair, 0 over rdma.
     */
    private record Place(String address, int number, long random) {
    }

    /**
     * Made up as the connection makes it up.
     *
     * @param layout     of its bytes.
     * @param connecting where the side is that connects.
     * @param listening  where the side is that listens.
     */
    private record Binding(Layout layout, Place connecting, Place listening) {
        byte[] bytes() {
            final byte[] first = layout.bytes(connecting);
            final byte[] second = layout.bytes(listening);
            return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
        }

        boolean isToItself() {
            return connecting.address().equals(listening.address());
        }
    }

    /**
     * One end of a connection.
     *
     * @param number   that its nonce is drawn from.
     * @param id       of the transport whose it is.
     * @param listened whether it has accepted the connection.
     * @param binding  what the connection is made of.
     */
    private record End(int number, TransportId id, boolean listened, Binding binding) {
        /** The one with the same place in the digest. */
        boolean isOtherEndOf(final End other) {
            return listened != other.listened && binding.equals(other.binding);
        }
    }

    /**
     * A handshake as one end has seen it, up to its own answer, which an end that listens gives to a proof only.
     *
     * @param end            that has seen it.
     * @param authentication of that end.
     * @param peerId         that was heard.
     * @param version        that was heard.
     * @param peerNonce      that was heard.
     * @param answer         of the end.
     * @param expected       the only answer that is a proof to it.
     */
    private record Run(
        End end, PeerAuthentication authentication, TransportId peerId, int version, byte[] peerNonce, byte[] answer,
        byte[] expected) {
    }

    private final PreSharedKey key =
        PreSharedKey.of("test", "f3a0c6f2c1d84be7a6f15f08d0c9b7e1".getBytes(StandardCharsets.US_ASCII));
    private final ControlEncoder encoder = new ControlEncoder();

    /**
     * Direct, twice with the same addresses and numbers, and with each of them another; by way of the attacker, who
     * takes the numbers of those that it stands between, and says the address of one of them where an end has nothing
     * to compare it with; to itself. In shared memory direct with other random numbers, too, which the attacker knows.
     */
    private static List<End> ends(final Layout layout) {
        final List<End> ends = new ArrayList<>();
        for (int times = 0; times < 2; times++) {
            add(ends, ALICE, BOB, bound(layout, "alice", 1, "bob", 1));
        }
        add(ends, ALICE, BOB, bound(layout, "alice2", 1, "bob", 1));
        add(ends, ALICE, BOB, bound(layout, "alice", 2, "bob", 1));
        add(ends, ALICE, BOB, bound(layout, "alice", 1, "bob2", 1));
        add(ends, ALICE, BOB, bound(layout, "alice", 1, "bob", 2));
        add(ends, BOB, ALICE, bound(layout, "bob", 2, "alice", 2));
        add(ends, ALICE, null, bound(layout, "alice", 3, "mallory", 3));
        add(ends, null, BOB, bound(layout, "mallory", 3, "bob", 3));
        add(ends, null, ALICE, bound(layout, "mallory", 3, "alice", 3));
        add(ends, null, BOB, bound(layout, "alice", 3, "bob", 3));
        add(ends, null, ALICE, bound(layout, "bob", 3, "alice", 3));
        add(ends, BOB, null, bound(layout, "bob", 3, "mallory", 3));
        add(ends, ALICE, ALICE, bound(layout, "alice", 5, "alice", 6));
        if (layout == Layout.IPC) {
            add(ends, ALICE, BOB, new Binding(layout, new Place("alice", 1, 1), new Place("bob", 1, 0)));
            add(ends, ALICE, BOB, new Binding(layout, new Place("alice", 1, 0), new Place("bob", 1, 1)));
        }
        return ends;
    }

    private static Binding bound(
        final Layout layout,
        final String connecting,
        final int connectingNumber,
        final String listening,
        final int listeningNumber) {
        return new Binding(
            layout, new Place(connecting, connectingNumber, 0), new Place(listening, listeningNumber, 0));
    }

    private static void add(
        final List<End> ends, final TransportId connecting, final TransportId listening, final Binding binding) {
        if (connecting != null) {
            ends.add(new End(ends.size(), connecting, false, binding));
        }
        if (listening != null) {
            ends.add(new End(ends.size(), listening, true, binding));
        }
    }

    private PeerAuthentication authentication(final End end, final Field takenOut, final byte[][] lastDigest) {
        final AtomicLong random = new AtomicLong(1000L * (end.number() + 1));
        return new PeerAuthentication(bytes -> {
            lastDigest[0] = key.digest(takenOut == null ? bytes : takenOut.takenOutOf(bytes));
            return lastDigest[0];
        }, random::getAndIncrement, end.id(), end.listened(), end.binding().bytes());
    }

    /** Read a message as the other side does. */
    private CapturedMessages carried(final int length) {
        final CapturedMessages heard = new CapturedMessages();
        assertEquals(ControlMessageReader.OK, new ControlMessageReader(heard).read(encoder.buffer(), 0, length));
        return heard;
    }

    private List<Run> runs(final Layout layout, final Field takenOut) {
        final List<End> ends = ends(layout);
        final byte[][] lastDigest = {null};
        final List<byte[]> nonces = new ArrayList<>(List.of(MALLORYS_NONCE));
        for (final End end : ends) {
            nonces.add(authentication(end, takenOut, lastDigest).nonce());
        }
        final List<Run> runs = new ArrayList<>();
        for (final End end : ends) {
            for (final TransportId peerId : IDS) {
                // a session refuses its own id from whoever is not itself
                if (!peerId.equals(end.id()) || end.binding().isToItself()) {
                    for (final byte[] nonce : nonces) {
                        for (final int version : VERSIONS) {
                            runs.add(run(end, peerId, nonce, version, takenOut, lastDigest));
                        }
                    }
                }
            }
        }
        return runs;
    }

    private Run run(
        final End end,
        final TransportId peerId,
        final byte[] nonce,
        final int version,
        final Field takenOut,
        final byte[][] lastDigest) {
        final PeerAuthentication authentication = authentication(end, takenOut, lastDigest);
        final byte[] heard = carried(encoder.challenge(nonce, peerId)).nonce();
        authentication.asked(heard);
        final byte[] answer = carried(encoder.answer(authentication.answer(peerId))).digest();
        assertFalse(authentication.isProof(new byte[ControlDescriptor.DIGEST_LENGTH], peerId, version));
        return new Run(end, authentication, peerId, version, heard, answer, lastDigest[0]);
    }

    /** The handshakes after which an end takes for a peer what is none, or is another one than it believes. */
    private List<String> attacks(final Layout layout, final Field takenOut, final int[] proofs) {
        final List<Run> runs = runs(layout, takenOut);
        final Map<ByteBuffer, List<Run>> given = new HashMap<>();
        final List<String> attacks = new ArrayList<>();
        for (final Run run : runs) {
            if (!run.end().listened()) {
                give(run, given);
            }
        }
        final List<Run> satisfied = new ArrayList<>();
        for (final Run run : runs) {
            if (run.end().listened() && judge(run, given, proofs, attacks)) {
                satisfied.add(run);
            }
        }
        satisfied.forEach(run -> give(run, given));
        for (final Run run : runs) {
            if (!run.end().listened()) {
                judge(run, given, proofs, attacks);
            }
        }
        return attacks;
    }

    /** Gives the attacker the answer, from now on. */
    private static void give(final Run run, final Map<ByteBuffer, List<Run>> given) {
        given.computeIfAbsent(ByteBuffer.wrap(run.answer()), any -> new ArrayList<>()).add(run);
    }

    /** Whether somebody has given the answer that is a proof to an end. */
    private static boolean judge(
        final Run run, final Map<ByteBuffer, List<Run>> given, final int[] proofs, final List<String> attacks) {
        boolean isSatisfied = false;
        for (final Run other : given.getOrDefault(ByteBuffer.wrap(run.expected()), List.of())) {
            // an end has one handshake: of its own it can hear this one only
            if (!other.end().equals(run.end()) || other == run) {
                assertTrue(run.authentication().isProof(other.answer(), run.peerId(), run.version()));
                isSatisfied = true;
                proofs[0]++;
                if (!agree(run, other)) {
                    attacks.add(run.end() + " took " + other.end() + " for " + run.peerId());
                }
            }
        }
        return isSatisfied;
    }

    private static boolean agree(final Run run, final Run other) {
        return other.end().isOtherEndOf(run.end())
            && other.end().id().equals(run.peerId())
            && other.peerId().equals(run.end().id())
            && Arrays.equals(other.peerNonce(), run.authentication().nonce())
            && Arrays.equals(run.peerNonce(), other.authentication().nonce())
            && run.version() == ControlDescriptor.PROTOCOL_VERSION;
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeNobodyWithoutTheKeyForAPeer(final Layout layout) {
        final int[] proofs = {0};
        assertEquals(List.of(), attacks(layout, null, proofs).stream().distinct().limit(5).toList());
        // of the connections of two transports with the key, and of the one to itself, each end by the other one; of
        // the pair that is there twice crosswise, too
        assertTrue(proofs[0] >= 8, () -> "proofs=" + proofs[0]);
    }

    static Stream<Arguments> fields() {
        return Arrays.stream(Layout.values()).flatMap(layout -> Arrays.stream(Field.values())
            .filter(field -> field.isIn(layout)).map(field -> Arguments.of(layout, field)));
    }

    @ParameterizedTest
    @MethodSource("fields")
    void shouldFindAnAttackWhenAFieldIsTakenOutOfTheDigest(final Layout layout, final Field field) {
        final Set<String> attacks = Set.copyOf(attacks(layout, field, new int[1]));
        assertFalse(attacks.isEmpty(), field::toString);
    }
}
