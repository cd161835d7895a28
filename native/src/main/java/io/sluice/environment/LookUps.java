package io.sluice.environment;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The look-ups of host names that are under way, each on a daemon thread that ends with it: neither can a look-up be
 * interrupted, nor does anybody know how long it takes. Any thread.
 */
final class LookUps {
    /** Asks name servers, and waits for them. */
    @FunctionalInterface
    interface Resolver {
        InetAddress addressOf(String host) throws UnknownHostException;
    }

    private static final String THREAD_NAME = "sluice-names";

    private final Resolver resolver;
    private final Map<String, CompletableFuture<InetAddress>> underWay = new HashMap<>();

    LookUps(final Resolver resolver) {
        this.resolver = resolver;
    }

    /** The one that is under way for a name, or a new one. */
    synchronized CompletableFuture<InetAddress> lookUp(final String host) {
        final CompletableFuture<InetAddress> known = underWay.get(host);
        if (known != null) {
            return known;
        }
        final CompletableFuture<InetAddress> begun = new CompletableFuture<>();
        try {
            Thread.ofPlatform().daemon().name(THREAD_NAME).start(() -> run(host, begun));
            underWay.put(host, begun);
        } catch (final OutOfMemoryError e) {
            begun.completeExceptionally(new IllegalStateException(SystemWorker.noThread(THREAD_NAME), e));
        }
        return begun;
    }

    private void run(final String host, final CompletableFuture<InetAddress> begun) {
        try {
            final InetAddress found = resolver.addressOf(host);
            end(host);
            begun.complete(found);
        } catch (final Throwable e) {
            end(host);
            begun.completeExceptionally(e);
        }
    }

    private synchronized void end(final String host) {
        underWay.remove(host);
    }
}
