package io.sluice.transport;

import io.sluice.environment.Environment;
import io.sluice.environment.Worker;
import io.sluice.transport.agent.Closing;
import io.sluice.transport.agent.IdleStrategies;
import io.sluice.transport.receive.Poller;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.IdleStrategy;

/**
 * The pollers of a transport and the subscriptions assigned to them. A poller's thread runs from its first
 * subscription on. Under the transport's lock, but for {@link #doWork()}, which the thread of INVOKER mode calls.
 */
final class Pollers implements AutoCloseable {
    /** Stands for a choice of the poller with the fewest subscriptions. */
    static final int ANY = -1;

    private final Context context;
    private final Environment environment;
    private final PollerOptions options;
    private final boolean threaded;
    private final ErrorHandler errorHandler;
    private final Poller[] pollers;
    private final Worker[] workers;
    /** The name of each poller's idle strategy, which for an object of the application's is its alias. */
    private final String[] idleStrategies;
    private final List<List<Subscription>> subscriptions = new ArrayList<>();

    Pollers(final Context context, final ErrorHandler errorHandler, final Consumer<String> notices) {
        this.context = context;
        environment = context.environment();
        options = context.pollers();
        threaded = context.threadingMode() == ThreadingMode.DEDICATED;
        this.errorHandler = errorHandler;
        pollers = new Poller[options.count()];
        workers = new Worker[options.count()];
        idleStrategies = new String[options.count()];
        Arrays.fill(idleStrategies, options.idleStrategy());
        for (int i = 0; i < pollers.length; i++) {
            pollers[i] = create(i, notices);
            subscriptions.add(new ArrayList<>());
        }
    }

    private Poller create(final int index, final Consumer<String> notices) {
        final Poller poller = new Poller(index, threaded ? options.cpu(index) : Poller.NO_CPU, errorHandler, notices);
        return options.completionMode(index) == CompletionMode.SPIN ? poller : poller.waitingForEvents(
            environment, options.spinTimeNs(index, Runtime.getRuntime().availableProcessors()));
    }

    /** The index of the poller for a new subscription: the wanted one, if any. */
    int choose(final int wanted) {
        return wanted == ANY ? leastLoaded() : wanted;
    }

    /** A poller, running from now on. */
    Poller running(final int index) {
        if (threaded && workers[index] == null) {
            final IdleStrategy byName = IdleStrategies.create(options.idleStrategy(), environment);
            final IdleStrategy asked = context.idleStrategy(pollers[index], () -> byName, errorHandler);
            final IdleStrategy used = pollers[index].idleStrategy(asked);
            if (used == asked && asked != byName) {
                idleStrategies[index] = asked.alias();
            }
            workers[index] = environment.startWorker(pollers[index], used, errorHandler);
        }
        return pollers[index];
    }

    /**
     * Assigns a subscription to a poller, and lets go of those that were closed meanwhile, each of which keeps its
     * ring.
     */
    void assign(final Subscription subscription, final Poller poller) {
        final List<Subscription> assigned = subscriptions.get(Arrays.asList(pollers).indexOf(poller));
        assigned.removeIf(Subscription::isClosed);
        assigned.add(subscription);
    }

    CompletionMode completionMode(final int index) {
        return options.completionMode(index);
    }

    private int leastLoaded() {
        int index = 0;
        for (int i = 1; i < pollers.length; i++) {
            if (load(i) < load(index)) {
                index = i;
            }
        }
        return index;
    }

    private int load(final int index) {
        final List<Subscription> assigned = subscriptions.get(index);
        assigned.removeIf(Subscription::isClosed);
        return assigned.size();
    }

    List<Poller> all() {
        return List.of(pollers);
    }

    int count() {
        return pollers.length;
    }

    List<PollerStatus> status() {
        final List<PollerStatus> status = new ArrayList<>();
        for (int i = 0; i < pollers.length; i++) {
            status.add(new PollerStatus(
                i, pollers[i].roleName(), pollers[i].pinning(), idleStrategies[i],
                options.completionMode(i), load(i)));
        }
        return status;
    }

    /** Whether the calling thread is one of the pollers'. */
    boolean isWithin() {
        return Arrays.stream(workers).anyMatch(worker -> worker != null && worker.isCurrent());
    }

    int doWork() {
        int work = 0;
        for (final Poller poller : pollers) {
            work += poller.doWork();
        }
        return work;
    }

    @Override
    public void close() {
        for (final Poller poller : pollers) {
            poller.stop();
        }
        Closing.all(Stream.<AutoCloseable>concat(Arrays.stream(workers), Arrays.stream(pollers)).toList());
    }
}
