package io.sluice.samples.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.rpma.RpmaError;
import io.sluice.rpma.RpmaException;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongFunction;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/** Pong over links that fail in every place: the next ping is answered all the same. */
class RpmaPongTest {
    private static final RuntimeException FAILURE =
        new RpmaException("rpma_conn_next_event", RpmaError.E_PROVIDER, 0, "no");

    private final Deque<LongFunction<PongLink>> comers = new ArrayDeque<>();
    private final List<String> news = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    private final RpmaPong pong = new RpmaPong(waitNs -> comers.poll().apply(waitNs), news::add, errors::add);

    /** A link that fails at a place, by an error. */
    private static final class Link implements PongLink {
        private final String place;
        private final RuntimeException failure;
        private int closed;

        private Link(final String place, final RuntimeException failure) {
            this.place = place;
            this.failure = failure;
        }

        private void reach(final String newPlace) {
            if (place.equals(newPlace)) {
                fail(failure);
            }
        }

        @Override
        public boolean offer(final DirectBuffer source, final int offset, final int length) {
            return true;
        }

        @Override
        public int poll(final MessageTaker taker) {
            reach("poll");
            return 0;
        }

        @Override
        public void idle() {
            reach("idle");
        }

        @Override
        public boolean isConnected() {
            reach("isConnected");
            return false;
        }

        @Override
        public void close() {
            closed++;
            reach("close");
        }
    }

    /** Fail as a link does where the binding throws. */
    private static void fail(final RuntimeException failure) {
        RpmaLinkFailure.around(() -> {
            throw failure;
        });
    }

    private void run() {
        pong.run(comers::isEmpty);
    }

    private Link comes(final String place, final RuntimeException failure) {
        final Link link = new Link(place, failure);
        comers.add(waitNs -> link);
        // so that pong is not stopped while it has this one
        comers.add(waitNs -> null);
        return link;
    }

    private void cannotConnect(final RuntimeException failure) {
        comers.add(waitNs -> {
            fail(failure);
            return null;
        });
    }

    @Test
    void shouldGoOnAfterALinkThatFails() {
        final List<Link> links = new ArrayList<>();
        for (final String place : List.of("poll", "idle", "isConnected", "close")) {
            links.add(comes(place, FAILURE));
            links.add(comes(place, new RpmaLinkFailure("it is lost")));
            links.add(comes(place, new VerbsException("rpma_conn_delete", Errno.EBUSY, "a thread is inside")));
        }
        links.add(comes("nowhere", null));

        run();

        assertTrue(links.stream().allMatch(link -> link.closed == 1));
        assertEquals(12, errors.size(), errors::toString);
        assertEquals(List.of("ping lost: " + FAILURE.getMessage(), "ping lost: it is lost",
            "ping lost: rpma_conn_delete: a thread is inside (errno=16 EBUSY)"), errors.subList(0, 3));
        assertEquals("ping finished", news.getLast());
    }

    @Test
    void shouldNotHideABug() {
        comes("idle", new IllegalStateException("a bug"));

        assertThrows(IllegalStateException.class, this::run);
    }

    @Test
    void shouldGoOnAfterConnectionsThatCannotBeMade() {
        cannotConnect(FAILURE);
        cannotConnect(new RpmaLinkFailure("refused"));
        comes("nowhere", null);

        run();

        assertEquals(List.of("ping lost: " + FAILURE.getMessage(), "ping lost: refused"), errors);
        assertEquals(List.of("ping connected", "ping finished"), news);
    }

    @Test
    void shouldGiveUpWhenNoConnectionCanBeMadeAnyMore() {
        for (int i = 0; i < 15; i++) {
            cannotConnect(FAILURE);
        }
        comers.add(waitNs -> null);
        for (int i = 0; i < 16; i++) {
            cannotConnect(FAILURE);
        }
        comers.add(waitNs -> null);

        final RpmaLinkFailure end = assertThrows(RpmaLinkFailure.class, this::run);

        assertEquals("16 connections in a row cannot be made, the last: " + FAILURE.getMessage(), end.getMessage());
        assertEquals(30, errors.size());
        assertEquals(1, comers.size());
    }
}
