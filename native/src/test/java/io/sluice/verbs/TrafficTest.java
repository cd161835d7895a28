package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TrafficTest extends VerbsSuite {
    /** The measure of traffic: less of it under emulation, where a message takes hundreds of microseconds. */
    private static final long ROUNDS = Long.parseLong(System.getProperty("sluice.verbs.rounds", "40"));

    private List<Traffic> links(
        final int count, final int slots, final CompletionQueue sends, final CompletionQueue receives) {
        final CompletionQueue unused = rig.queueOnFirst(count * slots * 2, null);
        final CompletionQueue alsoUnused = rig.queueOnSecond(count * slots * 2, null);
        final List<Traffic> traffic = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final Rig.Link link = rig.link(
                Traffic.options(slots).queues(sends, unused), Traffic.options(slots).queues(alsoUnused, receives));
            assertEquals(Errno.OK, link.right().queuePair.postReceives(i + 1, slots));
            traffic.add(new Traffic(link.left(), link.right(), slots, i + 1));
        }
        return traffic;
    }

    private void sendAll(final List<Traffic> traffic, final CompletionQueue sends, final long total) {
        final Random random = new Random(4711);
        final Backoff backoff = new Backoff();
        long sent = 0;
        while (sent < total && rig.workers.mayGoOn()) {
            final Traffic link = traffic.get(random.nextInt(traffic.size()));
            if (link.canSend()) {
                backoff.reset();
            } else {
                backoff.idle();
            }
            for (int burst = 1 + random.nextInt(4); burst > 0 && sent < total && link.canSend(); burst--) {
                if (link.send()) {
                    pollSend(sends);
                }
                sent++;
            }
        }
    }

    private void pollSend(final CompletionQueue sends) {
        final Backoff backoff = new Backoff();
        while (sends.startPoll() != Errno.OK) {
            rig.workers.idle(backoff);
        }
        assertEquals(WorkStatus.SUCCESS, sends.status());
        sends.endPoll();
    }

    private void receiveAll(final Map<Integer, Traffic> byQueuePair, final CompletionQueue receives, final long total) {
        final Backoff backoff = new Backoff();
        long received = 0;
        while (received < total && rig.workers.mayGoOn()) {
            if (receives.startPoll() != Errno.OK) {
                backoff.idle();
            } else {
                backoff.reset();
                do {
                    byQueuePair.get(receives.queuePairNumber()).onCompletion(receives);
                    received++;
                } while (receives.nextPoll() == Errno.OK);
                receives.endPoll();
            }
        }
    }

    private static Map<Integer, Traffic> byQueuePair(final List<Traffic> traffic) {
        final Map<Integer, Traffic> map = new HashMap<>();
        traffic.forEach(link -> map.put(link.to.queuePair.number(), link));
        return map;
    }

    private void run(final int links, final int slots, final long total) throws InterruptedException {
        final CompletionQueue sends = rig.queueOnFirst(links * slots * 2, null);
        final CompletionQueue receives = rig.queueOnSecond(links * slots, null);
        final List<Traffic> traffic = links(links, slots, sends, receives);
        final Map<Integer, Traffic> map = byQueuePair(traffic);
        rig.workers.join(
            rig.workers.start(() -> sendAll(traffic, sends, total)),
            rig.workers.start(() -> receiveAll(map, receives, total)));
        assertEquals(total, traffic.stream().mapToLong(Traffic::received).sum());
        assertTrue(traffic.stream().allMatch(link -> link.sent() == link.received()));
    }

    @Test
    void shouldKeepAStreamIntact() throws InterruptedException {
        run(1, 64, ROUNDS * 2_500);
    }

    @Test
    void shouldKeepAStreamIntactWithOneSlotOnly() throws InterruptedException {
        run(1, 1, ROUNDS * 125);
    }

    @Test
    void shouldKeepTwoStreamsOnOneQueueApart() throws InterruptedException {
        run(2, 16, ROUNDS * 1_250);
    }

    @Test
    void shouldKeepManyStreamsOnOneQueueApart() throws InterruptedException {
        run(200, 4, ROUNDS * 2_500);
    }

    @Test
    void shouldServeSeveralSendingThreadsWithOneQueue() throws InterruptedException {
        final int threads = 3;
        final long each = ROUNDS * 500;
        final CompletionQueue receives = rig.queueOnSecond(4096, null);
        final List<Traffic> all = new ArrayList<>();
        final List<Runnable> senders = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            final CompletionQueue sends = rig.queueOnFirst(1024, null);
            final List<Traffic> own = links(3, 32, sends, receives);
            all.addAll(own);
            senders.add(() -> sendAll(own, sends, each));
        }
        final Map<Integer, Traffic> map = byQueuePair(all);
        final List<Thread> running = new ArrayList<>();
        running.add(rig.workers.start(() -> receiveAll(map, receives, threads * each)));
        senders.forEach(sender -> running.add(rig.workers.start(sender)));

        rig.workers.join(running.toArray(Thread[]::new));

        assertEquals(threads * each, all.stream().mapToLong(Traffic::received).sum());
    }

    /** However many queue pairs share a queue at a time, and whichever way it finds them then, none is forgotten. */
    @Test
    void shouldKeepStreamsIntactWhileOthersComeAndGo() throws InterruptedException {
        final CompletionQueue sends = rig.queueOnFirst(4096, null);
        final CompletionQueue receives = rig.queueOnSecond(4096, null);
        final List<Traffic> residents = links(2, 4, sends, receives);
        final Map<Integer, Traffic> map = new ConcurrentHashMap<>(byQueuePair(residents));
        final AtomicBoolean isStopping = new AtomicBoolean();
        final AtomicBoolean hasSentAll = new AtomicBoolean();
        final Thread sender = rig.workers.start(() -> {
            while (!isStopping.get() && rig.workers.mayGoOn()) {
                sendAll(residents, sends, 50);
            }
            hasSentAll.set(true);
        });
        final Thread receiver = rig.workers.start(() -> {
            final Backoff backoff = new Backoff();
            while (!hasSentAll.get() || residents.stream().anyMatch(link -> link.received() < link.sent())) {
                receiveSome(map, receives, backoff);
            }
        });
        for (int i = 0; i < 60 && rig.workers.mayGoOn(); i++) {
            final List<Traffic> guests = links(1 + i % 2, 4, rig.queueOnFirst(64, null), receives);
            map.putAll(byQueuePair(guests));
            for (final Traffic guest : guests) {
                guest.send();
                rig.until("the guest's message", () -> guest.received() == 1 || !rig.workers.mayGoOn());
                guest.from.queuePair.close();
                guest.to.queuePair.close();
            }
            final long before = residents.get(0).received();
            rig.until("traffic", () -> residents.get(0).received() > before + 20 || !rig.workers.mayGoOn());
        }
        isStopping.set(true);
        rig.workers.join(sender, receiver);
    }

    private void receiveSome(
        final Map<Integer, Traffic> byQueuePair, final CompletionQueue receives, final Backoff backoff) {
        if (receives.startPoll() != Errno.OK) {
            rig.workers.idle(backoff);
            return;
        }
        backoff.reset();
        do {
            byQueuePair.get(receives.queuePairNumber()).onCompletion(receives);
        } while (receives.nextPoll() == Errno.OK);
        receives.endPoll();
    }

    /** Queue pairs come to rest (their ready bits are cleared) and wake up again, over and over. */
    @Test
    void shouldFindStreamsThatWakeUpAfterALongRest() throws InterruptedException {
        final int links = 40;
        final CompletionQueue sends = rig.queueOnFirst(4096, null);
        final CompletionQueue receives = rig.queueOnSecond(4096, null);
        final List<Traffic> traffic = links(links, 8, sends, receives);
        final Map<Integer, Traffic> map = byQueuePair(traffic);
        final long total = ROUNDS * 50;
        rig.workers.join(
            rig.workers.start(() -> sendOneByOne(traffic, sends, total)),
            rig.workers.start(() -> receiveAll(map, receives, total)));
        assertEquals(total, traffic.stream().mapToLong(Traffic::received).sum());
    }

    private void sendOneByOne(final List<Traffic> traffic, final CompletionQueue sends, final long total) {
        for (int i = 0; i < total && rig.workers.mayGoOn(); i++) {
            final Traffic link = traffic.get(i * 7 % traffic.size());
            if (link.send()) {
                pollSend(sends);
            }
            final Backoff backoff = new Backoff();
            while (link.received() < link.sent()) {
                rig.workers.idle(backoff);
            }
            for (int pause = i * 13 % 4000; pause > 0; pause--) {
                Thread.onSpinWait();
            }
        }
    }
}
