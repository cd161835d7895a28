package io.sluice.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LookUpsTest {
    private static final InetAddress FOUND = InetAddress.ofLiteral("10.0.0.1");
    private static final String SLOW = "slow.example";
    private static final long PATIENCE_S = 20;

    private final CountDownLatch answered = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final LookUps lookUps = new LookUps(this::addressOf);

    private InetAddress addressOf(final String host) throws UnknownHostException {
        asked.incrementAndGet();
        if (host.equals(SLOW)) {
            await();
        }
        if (host.equals("unknown.example")) {
            throw new UnknownHostException(host);
        }
        return FOUND;
    }

    private void await() {
        try {
            answered.await();
        } catch (final InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static InetAddress get(final CompletableFuture<InetAddress> lookUp) throws Exception {
        return lookUp.get(PATIENCE_S, TimeUnit.SECONDS);
    }

    @Test
    void shouldNotWaitForASlowNameServer() throws Exception {
        final CompletableFuture<InetAddress> slow = lookUps.lookUp(SLOW);

        assertEquals(FOUND, get(lookUps.lookUp("quick.example")));
        assertFalse(slow.isDone());
        answered.countDown();
        assertEquals(FOUND, get(slow));
    }

    @Test
    void shouldAskOnceForANameHoweverOftenItIsAskedForMeanwhile() throws Exception {
        final CompletableFuture<InetAddress> first = lookUps.lookUp(SLOW);
        for (int i = 0; i < 1000; i++) {
            assertSame(first, lookUps.lookUp(SLOW));
        }
        answered.countDown();
        assertEquals(FOUND, get(first));
        assertEquals(1, asked.get());
        assertEquals(FOUND, get(lookUps.lookUp(SLOW)));
        assertEquals(2, asked.get());
    }

    @Test
    void shouldTellThatNobodyKnowsAName() {
        final CompletableFuture<InetAddress> lookUp = lookUps.lookUp("unknown.example");

        assertInstanceOf(
            UnknownHostException.class, assertThrows(ExecutionException.class, () -> get(lookUp)).getCause());
    }

    @Test
    void shouldTakeLiteralAddressesAsTheyAre() throws Exception {
        assertEquals(FOUND, get(SystemEnvironment.instance().lookUp("10.0.0.1")));
    }
}
