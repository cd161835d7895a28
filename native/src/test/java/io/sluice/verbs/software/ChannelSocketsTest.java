package io.sluice.verbs.software;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.LocalListener;
import io.sluice.environment.LocalSocket;
import io.sluice.environment.LocalSockets;
import io.sluice.environment.SystemEnvironment;
import io.sluice.verbs.CompletionChannel;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A channel that is closed leaves no socket of a peer open. */
class ChannelSocketsTest {
    private final TemporaryFabric fabric = new TemporaryFabric();
    private final ScriptedListener listener = new ScriptedListener();
    private final SoftwareDevice device = SoftwareDevice.open(new ListeningEnvironment(), fabric.path());
    private final CompletionChannel channel = device.createCompletionChannel();

    @AfterEach
    void close() {
        device.close();
        fabric.close();
    }

    @Test
    void shouldCloseASocketThatIsAcceptedWhileTheChannelIsClosed() {
        listener.onAccept = channel::close;

        assertNull(channel.getEvent(0));

        assertTrue(listener.socket.isClosed);
    }

    @Test
    void shouldCloseTheSocketsOfPeersAlthoughTheListenerCannotBeClosed() {
        assertNull(channel.getEvent(0));
        listener.onClose = () -> {
            throw new IllegalStateException("refused");
        };

        assertThrows(IllegalStateException.class, channel::close);

        assertTrue(listener.socket.isClosed);
    }

    private final class ListeningEnvironment extends ForwardingEnvironment {
        private ListeningEnvironment() {
            super(SystemEnvironment.instance());
        }

        @Override
        public LocalSockets localSockets() {
            return new LocalSockets() {
                @Override
                public LocalListener listen(final Path path, final int backlog) {
                    return listener;
                }

                @Override
                public LocalSocket connect(final Path path) {
                    throw new UnsupportedOperationException(path.toString());
                }
            };
        }
    }

    /** A listener that one peer has connected to. */
    private static final class ScriptedListener implements LocalListener {
        private final ScriptedSocket socket = new ScriptedSocket();
        private Runnable onAccept = () -> { };
        private Runnable onClose = () -> { };
        private boolean hasAccepted;

        @Override
        public LocalSocket accept() {
            if (hasAccepted) {
                return null;
            }
            hasAccepted = true;
            onAccept.run();
            return socket;
        }

        @Override
        public boolean await(final long timeoutNs) {
            return false;
        }

        @Override
        public void wake() {
        }

        @Override
        public boolean isThere() {
            return true;
        }

        @Override
        public void restore() {
        }

        @Override
        public void close() {
            onClose.run();
        }
    }

    /** The socket of a peer that writes nothing. */
    private static final class ScriptedSocket implements LocalSocket {
        private boolean isClosed;

        @Override
        public int read(final ByteBuffer buffer) {
            return 0;
        }

        @Override
        public int write(final ByteBuffer buffer) {
            return 0;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
