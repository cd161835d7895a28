package io.sluice.transport.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AttachedLinksTest {
    private static final int WINDOW = InboundEpochs.WINDOW;
    private static final int MANY = 3 * AttachedLinks.FEW;

    private final AttachedLinks links = new AttachedLinks();
    private final InboundEpochs epochs = new InboundEpochs();

    private InboundLink add() {
        final InboundLink link = new InboundLink(WINDOW, 0, 1, InboundEpochs.FRAME_KEY);
        link.begin(epochs.next(false));
        links.add(link);
        return link;
    }

    private void addMany(final int count) {
        for (int i = 0; i < count; i++) {
            add();
        }
    }

    private void settle() {
        for (int i = 0; i < AttachedLinks.SETTLING_POLLS; i++) {
            links.onPolled();
        }
    }

    private Set<InboundLink> active() {
        return new HashSet<>(Arrays.asList(links.all()).subList(0, links.activeCount()));
    }

    @Test
    void shouldKeepAFewLinksActive() {
        addMany(AttachedLinks.FEW);
        settle();
        settle();
        assertEquals(AttachedLinks.FEW, links.activeCount());
    }

    @Test
    void shouldGoOverAllLinksAgainWhenTheyAreFew() {
        addMany(AttachedLinks.FEW);
        final InboundLink one = add();
        settle();
        assertEquals(0, links.activeCount());
        links.remove(one);
        assertEquals(AttachedLinks.FEW, links.activeCount());
    }

    @Test
    void shouldGoOverAnotherLinkForSomeThousandPollsOnly() {
        addMany(MANY);
        for (int i = 1; i < AttachedLinks.SETTLING_POLLS; i++) {
            links.onPolled();
        }
        assertEquals(MANY, links.activeCount());
        links.onPolled();
        assertEquals(0, links.activeCount());
    }

    @Test
    void shouldGoOverALinkAgainThatSomethingHappensTo() {
        addMany(MANY);
        settle();
        final InboundLink link = links.all()[MANY / 2];
        links.activate(link);
        links.activate(link);
        assertEquals(Set.of(link), active());
    }

    @Test
    void shouldKeepALinkActiveOnWhichMessagesArrive() {
        addMany(MANY - 1);
        final InboundLink link = add();
        assertTrue(link.join(0));
        for (int position = 32; position <= 96; position += 32) {
            link.onWrite(position / 32);
            link.positions().advance(position);
            assertTrue(link.credits().repost(true) && link.feedback().write());
            settle();
            assertEquals(Set.of(link), active());
        }
        settle();
        assertEquals(Set.of(), active());
    }

    @Test
    void shouldKeepALinkActiveWhoseMessagesWait() {
        addMany(MANY - 1);
        final InboundLink link = add();
        assertTrue(link.join(0));
        link.onWrite(1);
        for (int i = 0; i < 3; i++) {
            settle();
            assertEquals(Set.of(link), active(), "to be handed out");
        }
        link.positions().onWalked(32, 1);
        for (int i = 0; i < 3; i++) {
            settle();
            assertEquals(Set.of(link), active(), "with the consumers");
        }
        link.positions().onReclaimed(32);
        settle();
        assertEquals(Set.of(), active());
    }

    @Test
    void shouldKeepALinkActiveThatHasToReport() {
        addMany(MANY - 1);
        final InboundLink link = add();
        assertTrue(link.join(0));
        link.positions().advance(WINDOW / 8);
        settle();
        settle();
        assertEquals(Set.of(link), active());
    }

    @Test
    void shouldIgnoreALinkThatIsNotAttached() {
        addMany(MANY);
        settle();
        final InboundLink link = links.all()[0];
        links.remove(link);
        links.remove(link);
        links.activate(link);
        assertEquals(0, links.activeCount());
        assertEquals(MANY - 1, links.all().length);
    }

    /** A link that is inactive all the time waits for a round at most, whatever happens to others meanwhile. */
    @Test
    void shouldTakeTurnsAmongInactiveLinksWhateverHappensToOthers() {
        final Random random = new Random(1);
        addMany(100);
        final List<InboundLink> watched = new ArrayList<>(Arrays.asList(links.all()).subList(0, 10));
        settle();
        for (int round = 0; round < 200; round++) {
            final Set<InboundLink> seen = new HashSet<>();
            // one that has just become inactive comes with the next round
            for (int turns = 2 * links.inactiveCount(); turns > 0; turns--) {
                seen.add(links.all()[links.nextInactive()]);
                disturb(random, watched);
            }
            assertTrue(seen.containsAll(watched), "round=" + round);
        }
    }

    private void disturb(final Random random, final List<InboundLink> watched) {
        final InboundLink other = links.all()[random.nextInt(links.all().length)];
        if (watched.contains(other)) {
            return;
        }
        switch (random.nextInt(20)) {
            case 0 -> links.remove(other);
            case 1 -> add();
            case 2 -> settle();
            default -> links.activate(other);
        }
        for (int i = 0; i < links.all().length; i++) {
            assertEquals(i, links.all()[i].place().index);
        }
        assertTrue(links.activeCount() <= links.all().length);
    }

    @Test
    void shouldKeepAllLinksThatWereNotRemoved() {
        final Random random = new Random(2);
        final Set<InboundLink> expected = new HashSet<>();
        for (int i = 0; i < 5_000; i++) {
            if (expected.isEmpty() || random.nextInt(40) > expected.size()) {
                expected.add(add());
            } else if (random.nextBoolean()) {
                final InboundLink link = links.all()[random.nextInt(expected.size())];
                links.remove(link);
                assertTrue(expected.remove(link));
            } else {
                settle();
                links.activate(links.all()[random.nextInt(expected.size())]);
            }
            assertEquals(expected, new HashSet<>(Arrays.asList(links.all())));
            assertEquals(expected.size(), links.all().length);
        }
    }

    @Test
    void shouldGoOverAllWhenARestOfAnInactiveLinkIsToBeReported() {
        addMany(MANY - 1);
        final InboundLink link = add();
        assertTrue(link.join(0));
        link.positions().advance(32);
        settle();
        assertEquals(0, links.activeCount());
        assertEquals(MANY, links.dueCount());
        links.onReported();
        assertEquals(MANY, links.dueCount(), "nothing was reported");
        assertTrue(link.feedback().write());
        links.onReported();
        assertEquals(0, links.dueCount());
    }
}
