package io.sluice.transport.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.transport.kit.Await;
import io.sluice.verbs.Listener;
import io.sluice.verbs.RdmaDevice;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedListenersTest {
    private static final String ADDRESS = "10.0.0.1:40123";

    /** Each task on one of its own: the common pool may have one only. */
    private static final Executor OTHER_THREAD = task -> new Thread(task).start();

    private final CountDownLatch isRenewing = new CountDownLatch(1);
    private final CountDownLatch mayRenew = new CountDownLatch(1);
    private final SharedListeners listeners = new SharedListeners(device(), device());

    /** A device whose listeners take their time to listen anew. */
    private RdmaDevice device() {
        return (RdmaDevice) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {RdmaDevice.class},
            (proxy, method, arguments) -> method.getName().equals("listen") ? listener() : null);
    }

    private Listener listener() {
        return (Listener) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Listener.class},
            (proxy, method, arguments) -> {
                if (method.getName().equals("renew")) {
                    isRenewing.countDown();
                    mayRenew.await();
                    return true;
                }
                return null;
            });
    }

    @ParameterizedTest
    @ValueSource(strings = {"0:40123", "0.0:40123", "[::0]:40123", "[0:0::0]:40123", "[::ffff:0.0.0.0]:40123"})
    void shouldRefuseToListenAtAnyAddressInWhateverSpelling(final String address) {
        final Exception ex = assertThrows(IllegalArgumentException.class, () -> listeners.acquire(address));
        assertTrue(ex.getMessage().contains("address=" + address), ex.getMessage());
        assertFalse(listeners.has(address));
    }

    @Test
    void shouldAnswerWhileAListenerIsMadeAnew() throws InterruptedException {
        listeners.acquire(ADDRESS);
        final CompletableFuture<Void> renewal = CompletableFuture.runAsync(() ->
            listeners.renew((address, problem) -> { }), OTHER_THREAD);
        isRenewing.await();
        try {
            final CompletableFuture<Map<Boolean, Integer>> answer = CompletableFuture.supplyAsync(() ->
                Map.of(listeners.has(ADDRESS), listeners.poll(listener -> 1)), OTHER_THREAD);

            Await.until("an answer", answer::isDone);

            assertEquals(Map.of(true, 0), answer.join());
        } finally {
            mayRenew.countDown();
            renewal.join();
        }
        assertEquals(1, listeners.poll(listener -> 1));
        listeners.release(ADDRESS);
        assertFalse(listeners.has(ADDRESS));
    }
}
