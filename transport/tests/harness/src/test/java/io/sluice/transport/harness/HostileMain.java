package io.sluice.transport.harness;

import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.harness.HostilePeer.Session;
import io.sluice.transport.kit.CapturedMessages;
import io.sluice.transport.kit.ControlMessages;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A process that knows the key, {@code test.key.file}, and means harm to others, which listen at {@code test.service}:
 * told in lines to whom, {@code noise} writes random bytes where one of them reads messages, and {@code replay} comes
 * again with a handshake that it has recorded.
 */
public final class HostileMain {
    private static final byte[] NONCE = "a nonce of thirty-two characters".getBytes(StandardCharsets.US_ASCII);
    private static final long ID_HIGH = 0x0202_0202_0202_0202L;

    private final HostilePeer peer;
    private final String key;
    private final SplittableRandom random;
    private final ControlMessages messages;

    private HostileMain(final Path directory) throws IOException {
        final String service = System.getProperty("test.service");
        peer = new HostilePeer(TestMedium.openDevice(directory), device -> device.listeners(service));
        key = Files.readString(Path.of(System.getProperty("test.key.file")));
        random = new SplittableRandom(Long.getLong("test.seed"));
        messages = new ControlMessages(ID_HIGH, ProcessHandle.current().pid());
    }

    public static void main(final String[] arguments) throws IOException {
        final HostileMain hostile = new HostileMain(Path.of(arguments[0]));
        PeerMain.say("READY");
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            String text;
            while ((text = input.readLine()) != null) {
                hostile.obey(Line.parse(text));
            }
        }
        System.exit(0);
    }

    private void obey(final Line command) {
        switch (command.word()) {
            case "noise" -> noise(command);
            case "replay" -> replay(command);
            case "exit" -> {
                peer.close();
                System.exit(0);
            }
            default -> throw new IllegalArgumentException("unknown command: " + command);
        }
        PeerMain.say("DONE");
    }

    /** Prove to have the key, and return what was said for it. */
    private List<byte[]> prove(final Session session) {
        final CapturedMessages asked = new CapturedMessages();
        session.awaitMessage(asked, () -> asked.nonce() != null);
        final List<byte[]> said = said(session, asked);
        said.forEach(session::send);
        final CapturedMessages heard = new CapturedMessages();
        session.awaitMessage(heard, () -> heard.digest() != null);
        return said;
    }

    /** The address of the process of that id, which it tells to who has proved to have the key. */
    private String find(final long processId) {
        for (final String address : peer.addresses()) {
            try (Session session = peer.connect(address, messages.privateData())) {
                if (session.isEstablished() && introducedBy(session) == processId) {
                    return address;
                }
            }
        }
        throw new AssertionError("process " + processId + " is not among those who listen");
    }

    /** The process that a session leads to, which then is over; 0 when it has another key. */
    private long introducedBy(final Session session) {
        final CapturedMessages heard = new CapturedMessages();
        session.awaitMessage(heard, () -> heard.nonce() != null || session.isOver());
        if (heard.nonce() != null) {
            said(session, heard).forEach(session::send);
            final CapturedMessages told = new CapturedMessages();
            session.awaitMessage(told, () -> told.introducedName() != null || session.isOver());
            session.send(messages.goodbye(GoodbyeReason.CLOSED));
            session.awaitOver();
            return told.processId();
        }
        return 0;
    }

    private List<byte[]> said(final Session session, final CapturedMessages asked) {
        return List.of(messages.helloWithAuthentication(), messages.challenge(NONCE),
            messages.answer(messages.proof(key, asked, NONCE, session.binding())));
    }

    private Session connect(final String address) {
        return peer.connect(address, messages.privateData());
    }

    private void noise(final Line command) {
        try (Session session = connect(find(command.number("pid")))) {
            prove(session);
            try (HostilePublication publication = new HostilePublication(
                peer, session, messages, command.intNumber("stream"), command.flag("shared"))) {
                publication.writeNoise(random);
                final CapturedMessages heard = new CapturedMessages();
                session.awaitMessage(heard, () -> !heard.breaks().isEmpty());
            }
        }
    }

    private void replay(final Line command) {
        final String address = find(command.number("pid"));
        final List<byte[]> recorded;
        try (Session session = connect(address)) {
            recorded = prove(session);
        }
        try (Session session = connect(address)) {
            recorded.forEach(session::send);
            session.awaitOver();
        }
    }
}
