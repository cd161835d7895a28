package io.sluice.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.codec.FrameDescriptor;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.ControlledFragmentHandler.Action;
import io.sluice.transport.carrier.NextStep;
import io.sluice.transport.peer.Medium;
import io.sluice.transport.pressure.PressureSignal;
import io.sluice.transport.receive.EventRing;
import io.sluice.transport.receive.ImagePoll;
import io.sluice.transport.receive.InboundLink;
import io.sluice.transport.receive.MessageView;
import io.sluice.transport.stream.EventOptions;
import io.sluice.transport.stream.ImageState;
import io.sluice.transport.stream.LogSharing;
import io.sluice.transport.stream.SlowConsumerPolicy;
import io.sluice.transport.stream.SubscriptionConsumers;
import io.sluice.transport.stream.SubscriptionEnd;
import io.sluice.transport.stream.SubscriptionImages;
import io.sluice.transport.stream.SubscriptionOptions;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.agrona.ErrorHandler;
import org.agrona.LangUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Subscriptions whose messages something else carries than links over verbs, by what they ask of it. */
class OtherCarrierImagesTest {
    private static final int FRAME = 64;
    private static final int HEADER = FrameDescriptor.HEADER_LENGTH;
    private static final int STREAM_ID = 7;
    private static final int SESSION_ID = 11;

    private final End end = new End();
    private final Subscription subscription = new Subscription(end, false, LangUtil::rethrowUnchecked);
    private final ImageState state = new ImageState(new InboundLink(4096, 0, 1, 0), SESSION_ID, "elsewhere");
    private final List<String> handled = new ArrayList<>();
    private final FragmentHandler handler = (buffer, offset, length, header) -> {
        assertTrue(end.pollGuard().isInside());
        handled.add(buffer.getStringWithoutLengthAscii(offset, length) + " " + header.sessionId() + " "
            + header.position() + " " + header.reservedValue());
    };

    /** The end of a stream of frames, each of which lies in memory of its own, for one image at most. */
    private static final class End extends SubscriptionEnd {
        private final Deque<UnsafeBuffer> waiting = new ArrayDeque<>();
        private final List<Thread> pollingThreads = new ArrayList<>();
        private SubscriptionImages images;
        private InboundLink link;
        private long position;
        private boolean isClosed;

        private End() {
            super(new SubscriptionOptions("sluice:ipc", new Medium.Party("here", false, null), STREAM_ID, 0L, 1,
                new LogSharing(false, false, 0), new EventOptions(0, false, false, SlowConsumerPolicy.GATE)),
                SystemEnvironment.instance());
        }

        private void send(final String text, final long reservedValue) {
            final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(FRAME));
            frame.putLong(0, FrameDescriptor.lengthWord(HEADER + text.length(), 0, FrameDescriptor.DATA_TYPE));
            frame.putLong(FrameDescriptor.RESERVED_VALUE_OFFSET, reservedValue);
            frame.putStringWithoutLengthAscii(HEADER, text);
            waiting.add(frame);
        }

        private void join(final ImageState state) {
            images.onAvailable(state);
            link = state.link();
        }

        @Override
        public void images(final SubscriptionImages newImages) {
            images = newImages;
        }

        @Override
        public ImagePoll newPoll(final ErrorHandler errorHandler) {
            return new ImagePoll() {
                @Override
                public int poll(final int messageLimit) {
                    return pollAll(messageLimit);
                }

                @Override
                public int pollAll(final int messageLimit) {
                    return link == null ? 0 : poll(link, link.view(), messageLimit);
                }

                @Override
                public int poll(final InboundLink polled, final MessageView view, final int messageLimit) {
                    assertSame(link, polled);
                    int messages = 0;
                    while (messages < messageLimit && !waiting.isEmpty()) {
                        final UnsafeBuffer frame = waiting.peek();
                        final int length = FrameDescriptor.alignedLength(
                            FrameDescriptor.frameLengthOf(frame.getLong(0)));
                        if (view.onMessage(frame, 0, frame.getLong(0), position + length) == NextStep.ABORT) {
                            break;
                        }
                        waiting.remove();
                        position += length;
                        messages++;
                    }
                    return messages;
                }
            };
        }

        @Override
        public EventRing eventRing() {
            return null;
        }

        @Override
        public SubscriptionConsumers consumers() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void polledBy(final Thread thread) {
            pollingThreads.add(thread);
        }

        @Override
        public void endOverwritten(final InboundLink overwritten) {
            throw new UnsupportedOperationException();
        }

        @Override
        public PressureSignal pressure() {
            throw new UnsupportedOperationException();
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
        public boolean isReleased() {
            return isClosed;
        }
    }

    @BeforeEach
    void listen() {
        end.images(new ImageHandlers(subscription, null, null));
    }

    @Test
    void shouldHandItsMessagesToTheHandler() {
        end.send("abcd", 3);
        end.send("ef", 0);
        assertEquals(0, subscription.poll(handler, 10));
        end.join(state);

        assertEquals(1, subscription.poll(handler, 1));
        assertEquals(1, subscription.poll(handler, 10));
        assertEquals(List.of("abcd 11 32 3", "ef 11 64 0"), handled);
        assertFalse(end.pollGuard().isInside());
        assertEquals(List.of(Thread.currentThread()), end.pollingThreads);
    }

    @Test
    void shouldDoAsTheHandlerAnswers() {
        end.send("abcd", 0);
        end.join(state);

        assertEquals(0, subscription.controlledPoll((buffer, offset, length, header) -> Action.ABORT, 10));
        assertEquals(1, subscription.controlledPoll((buffer, offset, length, header) -> Action.COMMIT, 10));
        assertEquals(0, subscription.poll(handler, 10));
    }

    @Test
    void shouldPollItsImageUpToAPosition() {
        end.send("abcd", 0);
        end.send("ef", 0);
        end.join(state);
        final Image image = subscription.imageBySessionId(SESSION_ID);

        assertEquals(1, image.boundedPoll(handler, 32, 10));
        assertEquals(List.of("abcd 11 32 0"), handled);
        assertEquals(1, image.poll(handler, 10));
    }

    @Test
    void shouldShowAndHideItsImages() {
        end.join(state);
        final Image image = subscription.imageAtIndex(0);

        assertEquals("elsewhere", image.sourceIdentity());
        assertTrue(subscription.isConnected());
        end.images.onUnavailable(state);
        assertTrue(image.isClosed());
        assertTrue(subscription.hasNoImages());
    }

    @Test
    void shouldHaveItsNamesAndItsEnd() {
        final OpenStreams streams = new OpenStreams();
        streams.add(subscription);
        assertEquals(STREAM_ID, subscription.streamId());
        assertEquals("sluice:ipc", subscription.channel());

        subscription.close();
        assertTrue(subscription.isClosed());
        end.send("abcd", 0);
        end.join(state);
        assertEquals(0, subscription.poll(handler, 10));
        assertEquals(1, end.waiting.size());
        streams.add(new Subscription(new End(), false, LangUtil::rethrowUnchecked));
        assertFalse(streams.subscriptions().contains(subscription));
    }

    @Test
    void shouldLeaveItToTheHandlersOfAGraph() {
        final Subscription graph = new Subscription(end, true, LangUtil::rethrowUnchecked);

        assertThrows(IllegalStateException.class, () -> graph.poll(handler, 1));
        assertEquals(List.of(), end.pollingThreads);
    }
}
