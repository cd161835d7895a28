package io.sluice.transport.harness;

import io.sluice.transport.BufferClaim;
import io.sluice.transport.Context;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Publication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Timeouts;
import io.sluice.transport.Transport;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Closes things while other threads use them, again and again, in a process of its own: a mistake here is a crash.
 */
final class CloseRaces {
    private static final int STREAM_ID = 1;
    private static final int LENGTH = 200;
    private static final byte LAST_BYTE = 99;
    private static final int ADDED_AT_MOST = 10;
    private static final long MAX_DELAY_NS = 2_000_000L;
    private static final List<String> PARAMETERS = Transports.parameters().toList();

    private final Path directory;
    private final TestMedium medium = new TestMedium();
    private final SplittableRandom random = new SplittableRandom(7);
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong offered = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    private CloseRaces(final Path directory) {
        this.directory = directory;
    }

    public static void main(final String[] arguments) throws Exception {
        final CloseRaces races = new CloseRaces(Path.of(arguments[0]));
        final int rounds = Integer.getInteger("test.rounds");
        for (int round = 0; round < rounds; round++) {
            races.run(System.getProperty("test.race"), PARAMETERS.get(round % PARAMETERS.size()));
        }
        PeerMain.say("DONE rounds=" + rounds + " received=" + races.received + " offered=" + races.offered
            + " failures=" + races.failures);
        System.exit(0);
    }

    private void run(final String race, final String parameters) throws Exception {
        switch (race) {
            case "subscription" -> closeSubscription(parameters);
            case "publication" -> closePublication(parameters);
            case "transport" -> closeTransport(parameters);
            case "open-claim" -> closeOverAnOpenClaim();
            case "handler" -> closeUnderAHandler(parameters);
            case "available" -> closeUnderAnAvailableHandler();
            default -> throw new IllegalArgumentException(race);
        }
    }

    private Context context() {
        return TestMedium.equip(
            new Context().directory(directory)
                .timeouts(new Timeouts().lingerTimeoutNs(100_000_000L)).errorHandler(error -> { }), directory);
    }

    private void pause() {
        LockSupport.parkNanos(1 + random.nextLong(MAX_DELAY_NS));
    }

    private Thread poll(final Subscription subscription, final AtomicBoolean isOver) {
        return start("poll", () -> {
            while (!isOver.get() && !subscription.isClosed()) {
                subscription.poll((buffer, offset, length, header) -> {
                    if (buffer.getByte(offset + length - 1) == LAST_BYTE) {
                        received.incrementAndGet();
                    }
                }, 10);
            }
        });
    }

    private Thread offer(final ExclusivePublication publication, final AtomicBoolean isOver) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        message.putByte(LENGTH - 1, LAST_BYTE);
        final BufferClaim claim = new BufferClaim();
        return start("offer", () -> {
            long result = 0;
            while (!isOver.get() && result != Publication.CLOSED) {
                if (publication.offer(message, 0, LENGTH) > 0) {
                    offered.incrementAndGet();
                }
                result = publication.tryClaim(LENGTH, claim);
                if (result > 0) {
                    claim.buffer().putBytes(0, message, 0, LENGTH);
                    commit(publication, claim);
                } else {
                    Thread.yield();
                }
            }
        });
    }

    /** Commit a claim, which nothing but the closing of its publication keeps from being committed. */
    private void commit(final ExclusivePublication publication, final BufferClaim claim) {
        try {
            claim.commit();
        } catch (final IllegalStateException ex) {
            failures.addAndGet(publication.isClosed() ? 0 : 1);
        }
    }

    private Thread start(final String name, final Runnable task) {
        return Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                task.run();
            } catch (final Throwable ex) {
                failures.incrementAndGet();
                ex.printStackTrace();
            }
        });
    }

    private void closeSubscription(final String parameters) {
        final AtomicBoolean isOver = new AtomicBoolean();
        try (Transport transport = Transport.launch(context())) {
            final Thread offer =
                offer(transport.addExclusivePublication(medium.channel("window=64k"), STREAM_ID), isOver);
            for (int i = 0; i < 10; i++) {
                final Subscription subscription = transport.addSubscription(medium.channel(parameters), STREAM_ID);
                final Thread poll = poll(subscription, isOver);
                if (i % 3 != 0) {
                    Await.until("images", subscription::isConnected);
                }
                pause();
                subscription.close();
                Await.end(poll);
            }
            isOver.set(true);
            Await.end(offer);
        }
    }

    private void closePublication(final String parameters) {
        final AtomicBoolean isOver = new AtomicBoolean();
        try (Transport transport = Transport.launch(context())) {
            final Thread poll = poll(transport.addSubscription(medium.channel(parameters), STREAM_ID), isOver);
            for (int i = 0; i < 10; i++) {
                final ExclusivePublication publication =
                    transport.addExclusivePublication(medium.channel("window=64k|" + parameters), STREAM_ID);
                offer(publication, isOver);
                if (i % 3 != 0) {
                    Await.until("a link", publication::isConnected);
                }
                pause();
                publication.close();
            }
            isOver.set(true);
            Await.end(poll);
        }
    }

    private void closeTransport(final String parameters) {
        final AtomicBoolean isOver = new AtomicBoolean();
        final Transport transport = Transport.launch(context());
        final ExclusivePublication publication =
            transport.addExclusivePublication(medium.channel("window=64k"), STREAM_ID);
        final Thread poll = poll(transport.addSubscription(medium.channel(parameters), STREAM_ID), isOver);
        final Thread offer = offer(publication, isOver);
        final Thread add = start("add", () -> {
            try {
                for (int added = 0; !isOver.get() && added < ADDED_AT_MOST; added++) {
                    final Subscription subscription =
                        transport.addSubscription(medium.channel(parameters), STREAM_ID);
                    for (int i = 0; i < 1000; i++) {
                        subscription.poll((buffer, offset, length, header) -> received.incrementAndGet(), 10);
                    }
                    transport.addExclusivePublication(medium.channel("window=4k"), STREAM_ID).close();
                    Thread.yield();
                }
            } catch (final IllegalStateException ex) {
                LockSupport.parkNanos(1);
            }
        });
        Await.until("a link", publication::isConnected);
        pause();
        transport.close();
        LockSupport.parkNanos(1_000_000L);
        isOver.set(true);
        Await.end(poll);
        Await.end(offer);
        Await.end(add);
    }

    /** The application goes on writing to what it claimed: that memory must not be gone. */
    private void closeOverAnOpenClaim() {
        final AtomicBoolean isOver = new AtomicBoolean();
        final BufferClaim claim = new BufferClaim();
        final Transport transport = Transport.launch(context());
        final Thread poll = poll(transport.addSubscription(medium.channel(""), STREAM_ID), isOver);
        final ExclusivePublication publication =
            transport.addExclusivePublication(medium.channel("window=64k"), STREAM_ID);
        Await.until("a claim", () -> publication.tryClaim(LENGTH, claim) > 0);
        publication.close();
        claim.buffer().setMemory(0, LENGTH, (byte) 1);
        transport.close();
        claim.buffer().setMemory(0, LENGTH, (byte) 2);
        commit(publication, claim);
        isOver.set(true);
        Await.end(poll);
        if (publication.tryClaim(LENGTH, claim) != Publication.CLOSED) {
            failures.incrementAndGet();
        }
    }

    /** A handler that does not come back keeps its memory, and keeps nobody else. */
    private void closeUnderAHandler(final String parameters) throws InterruptedException {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch release = new CountDownLatch(1);
        final Transport transport = Transport.launch(context());
        final Subscription subscription = transport.addSubscription(medium.channel(parameters), STREAM_ID);
        final ExclusivePublication publication =
            transport.addExclusivePublication(medium.channel("window=64k|" + parameters), STREAM_ID);
        final AtomicBoolean isOver = new AtomicBoolean();
        final Thread poll = start("poll", () -> {
            while (!isOver.get()) {
                subscription.poll((buffer, offset, length, header) -> {
                    entered.countDown();
                    awaitLatch(release);
                    // still there, and still what was sent
                    for (int i = 0; i < length; i++) {
                        failures.addAndGet(buffer.getByte(offset + i) == (byte) 7 ? 0 : 1);
                    }
                    received.addAndGet(header.reservedValue());
                }, 10);
            }
        });
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        message.setMemory(0, LENGTH, (byte) 7);
        Await.until("a link", () -> publication.offer(message, 0, LENGTH, 1L) > 0);
        entered.await();
        if (ThreadLocalRandom.current().nextBoolean()) {
            subscription.close();
            Await.until(
                "the memory to be abandoned", () -> transport.counters().get(TransportCounter.MEMORY_ABANDONED) == 1);
        }
        transport.close();
        failures.addAndGet(transport.counters().get(TransportCounter.MEMORY_ABANDONED) == 0 ? 1 : 0);
        release.countDown();
        isOver.set(true);
        Await.end(poll);
    }

    private static void awaitLatch(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closing does not wait for ever for user code on the callback thread. */
    private void closeUnderAnAvailableHandler() throws InterruptedException {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch release = new CountDownLatch(1);
        final AtomicBoolean isOver = new AtomicBoolean();
        final Transport transport = Transport.launch(context());
        final Subscription subscription = transport.addSubscription(medium.channel(""), STREAM_ID, image -> {
            entered.countDown();
            awaitLatch(release);
        }, image -> { });
        transport.addExclusivePublication(medium.channel("window=64k"), STREAM_ID);
        final Thread poll = poll(subscription, isOver);
        entered.await();
        final Thread close = start("close", transport::close);
        Await.end(close);
        release.countDown();
        isOver.set(true);
        Await.end(poll);
    }
}
