package io.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class StreamSubscriberTest {
    private final StreamSubscriber subscriber = new StreamSubscriber(null, Long.MAX_VALUE, null);

    @Test
    void shouldAcceptARunFromAnywhere() {
        subscriber.check(1, 500);
        subscriber.check(1, 501);
        subscriber.check(1, 502);
        assertEquals(0, subscriber.gaps());
    }

    @Test
    void shouldFollowEachSessionByItself() {
        subscriber.check(1, 10);
        subscriber.check(2, 90);
        subscriber.check(1, 11);
        subscriber.check(2, 91);
        assertEquals(0, subscriber.gaps());
    }

    @Test
    void shouldCountWhatIsMissingAndWhatComesTwice() {
        subscriber.check(1, 0);
        subscriber.check(1, 2);
        assertEquals(1, subscriber.gaps());
        subscriber.check(1, 2);
        assertEquals(2, subscriber.gaps());
        subscriber.check(1, 3);
        assertEquals(2, subscriber.gaps());
    }
}
