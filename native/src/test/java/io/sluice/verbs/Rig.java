package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/** Two devices for one test, what was made on them, and how to wait for something on any provider. */
final class Rig implements AutoCloseable {
    /** Far beyond anything that is waited for; reaching it is a failure. */
    private static final long TIMEOUT_NS = 30_000_000_000L;

    final DeviceFixture fixture;
    final RdmaDevice first;
    final RdmaDevice second;
    final ProtectionDomain firstDomain;
    final ProtectionDomain secondDomain;
    final Workers workers = new Workers();
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();
    private final ConcurrentLinkedQueue<AsyncEvent> events = new ConcurrentLinkedQueue<>();
    private final AsyncEventHandler collector = new AsyncEventHandler() {
        @Override
        public void onAsyncEvent(final AsyncEventType type, final CompletionQueue queue, final QueuePair pair) {
            events.add(new AsyncEvent(type, queue, pair, null));
        }

        @Override
        public void onSharedReceiveQueueEvent(final AsyncEventType type, final SharedReceiveQueue queue) {
            events.add(new AsyncEvent(type, null, null, queue));
        }
    };

    Rig(final DeviceFixture fixture) {
        this.fixture = fixture;
        final DeviceFixture.Devices devices = keep(fixture.open());
        first = devices.first();
        second = devices.second();
        firstDomain = keep(first.allocateProtectionDomain());
        secondDomain = keep(second.allocateProtectionDomain());
    }

    /** Close something at the end, before what was kept earlier. */
    <T extends AutoCloseable> T keep(final T resource) {
        resources.push(resource);
        return resource;
    }

    Endpoint onFirst(final EndpointOptions options) {
        return keep(new Endpoint(first, firstDomain, options));
    }

    Endpoint onSecond(final EndpointOptions options) {
        return keep(new Endpoint(second, secondDomain, options));
    }

    Link link() {
        return link(new EndpointOptions(), new EndpointOptions());
    }

    Link link(final EndpointOptions left, final EndpointOptions right) {
        final Link link = new Link(onFirst(left), onSecond(right));
        Endpoint.connect(link.left(), link.right());
        return link;
    }

    CompletionQueue queueOnFirst(final int capacity, final CompletionChannel channel) {
        return keep(first.createCompletionQueue(
            new CompletionQueueAttributes(capacity, Endpoint.FIELDS, channel)));
    }

    CompletionQueue queueOnSecond(final int capacity, final CompletionChannel channel) {
        return keep(second.createCompletionQueue(
            new CompletionQueueAttributes(capacity, Endpoint.FIELDS, channel)));
    }

    /** Do the devices' duties once. */
    void duties() {
        first.poll(collector);
        if (second != first) {
            second.poll(collector);
        }
    }

    /** Wait until something is so. */
    void until(final String what, final BooleanSupplier condition) {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            duties();
            Thread.yield();
            assertTrue(System.nanoTime() - startNs < TIMEOUT_NS, "waited in vain for " + what);
        }
    }

    /** Wait for the next completion. */
    Completion await(final CompletionQueue queue) {
        final Completion[] found = new Completion[1];
        until("a completion", () -> {
            final int result = queue.startPoll();
            if (result == Errno.OK) {
                found[0] = Completion.of(queue);
                queue.endPoll();
            } else {
                assertTrue(result == Errno.ENOENT || result == Errno.EBUSY, "startPoll=" + result);
            }
            return found[0] != null;
        });
        return found[0];
    }

    List<Completion> await(final CompletionQueue queue, final int count) {
        final List<Completion> completions = new ArrayList<>();
        while (completions.size() < count) {
            completions.add(await(queue));
        }
        return completions;
    }

    /** Wait for the next completion, which must be a success. */
    Completion awaitSuccess(final CompletionQueue queue) {
        final Completion completion = await(queue);
        assertEquals(WorkStatus.SUCCESS, completion.status(), completion.toString());
        return completion;
    }

    /** Wait for an asynchronous event. */
    AsyncEvent awaitEvent(final AsyncEventType type) {
        final AsyncEvent[] found = new AsyncEvent[1];
        until("event " + type, () -> {
            found[0] = events.stream().filter(event -> event.type() == type).findFirst().orElse(null);
            return found[0] != null;
        });
        return found[0];
    }

    /** Asynchronous events of a type so far. */
    long events(final AsyncEventType type) {
        return events.stream().filter(event -> event.type() == type).count();
    }

    void awaitState(final QueuePair queuePair, final QueuePairState state) {
        until("state " + state, () -> queuePair.state() == state);
    }

    boolean has(final DeviceFixture.Ability ability) {
        return fixture.has(ability);
    }

    /** Skip the test, and say why, on a provider that does not do what it is about. */
    void assumeInline(final int length) {
        assumeTrue(first.attributes().maxInlineData() >= length, "the device takes fewer bytes inline");
    }

    void assumeHas(final DeviceFixture.Ability ability) {
        assumeTrue(has(ability), () -> fixture + " lacks " + ability);
    }

    @Override
    public void close() {
        if (!workers.stop()) {
            throw new AssertionError("a worker does not end: what it uses stays open");
        }
        Throwable failure = null;
        while (!resources.isEmpty()) {
            try {
                resources.pop().close();
            } catch (final Exception | Error e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw new AssertionError("could not be closed", failure);
        }
    }

    /** Two connected ends. */
    record Link(Endpoint left, Endpoint right) {
    }

    /** An asynchronous event. */
    record AsyncEvent(
        AsyncEventType type, CompletionQueue queue, QueuePair queuePair, SharedReceiveQueue sharedQueue) {
    }
}
