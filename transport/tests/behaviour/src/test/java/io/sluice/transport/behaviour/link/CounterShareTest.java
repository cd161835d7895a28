package io.sluice.transport.behaviour.link;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SharedFiles;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.AddressedHosts;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.layout.StatusLayout;
import io.sluice.transport.status.CounterKey;
import io.sluice.transport.status.CounterReading;
import io.sluice.transport.status.CounterType;
import io.sluice.transport.status.StatusReader;
import io.sluice.transport.status.TransportCounter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Counters of a transport whose peer has more links than there are counters for, on a disk without room for more. */
class CounterShareTest {
    private static final String CHANNEL = "sluice:rdma?control=10.0.0.1:40123|control-mode=dynamic|window=4k";
    private static final int STREAM_ID = 5;
    private static final int OWN_STREAM_ID = 4711;
    /** Six counters each: more than the 2048 that a transport has memory for from the beginning. */
    private static final int LINKS = 345;
    /** A link needs a fifth of a second where other tests take both processors. */
    private static final int LINKS_DEADLINE_SECONDS = 240;

    @RegisterExtension
    private final Transports transports = new Transports();
    private final AddressedHosts hosts = new AddressedHosts();

    /** The machine, whose disk takes the first counters of each file, and no more. */
    private static final class FullDisk extends ForwardingEnvironment {
        private final SharedFiles files = (SharedFiles) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {SharedFiles.class}, (_, method, arguments) -> {
                if (method.getName().equals("fill")
                    && (long) arguments[1] == StatusLayout.metadataOffset(StatusLayout.FIRST_CAPACITY)) {
                    throw new IOException("no room");
                }
                try {
                    return method.invoke(SystemEnvironment.instance().files(), arguments);
                } catch (final InvocationTargetException ex) {
                    throw ex.getCause();
                }
            });

        FullDisk() {
            super(SystemEnvironment.instance());
        }

        @Override
        public SharedFiles files() {
            return files;
        }
    }

    private Transport launch(final String host) {
        return transports.launch(context -> context.environment(new FullDisk()).rdmaProvider(
            (environment, options) -> hosts.open(transports.fabric().directory(), host)));
    }

    /** The keys of all counters of a type and stream. */
    private Set<CounterKey> shown(final CounterType type, final int streamId) {
        try {
            return new StatusReader(SystemEnvironment.instance(), transports.fabric().directory())
                .read(problem -> {
                    throw new AssertionError(problem);
                }).stream().flatMap(status -> status.counters().stream())
                .filter(reading -> reading.type() == type && reading.key().streamId() == streamId)
                .map(CounterReading::key).collect(Collectors.toSet());
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    @Test
    @Tag("slow")
    @Timeout(2 * LINKS_DEADLINE_SECONDS)
    void shouldKeepCountersForItsOwnWhenAPeerHasManyLinks() {
        final Transport transport = launch("10.0.0.1");
        transport.addPublication(CHANNEL, STREAM_ID);
        final Transport peer = launch("10.0.0.2");
        final List<Subscription> subscriptions = new ArrayList<>();
        for (int i = 0; i < LINKS; i++) {
            subscriptions.add(peer.addSubscription(CHANNEL, STREAM_ID));
        }
        Await.until(() -> "links established=" + transport.counters().get(TransportCounter.LINKS_ESTABLISHED),
            () -> transport.counters().get(TransportCounter.LINKS_ESTABLISHED) == LINKS, LINKS_DEADLINE_SECONDS);

        transport.addPublication("sluice:ipc?window=4k", OWN_STREAM_ID);
        transport.addSubscription("sluice:ipc", OWN_STREAM_ID);
        Await.until("counters of its own", () -> shown(CounterType.PUBLICATION_POSITION, OWN_STREAM_ID).size() == 1
            && shown(CounterType.SUBSCRIPTION_POLLS, OWN_STREAM_ID).size() == 1);
        final Set<CounterKey> first = shown(CounterType.LINK_STATE, STREAM_ID);
        assertTrue(first.size() > LINKS / 2 && first.size() < LINKS, "links with counters=" + first.size());

        // the ones that came first have counters, and make room for those that went without
        final int without = LINKS - first.size();
        for (int i = 0; i < without; i++) {
            subscriptions.get(i).close();
        }
        Await.until("counters of all links that are left", () -> {
            final Set<CounterKey> now = shown(CounterType.LINK_STATE, STREAM_ID);
            now.removeAll(first);
            return now.size() == without;
        });
    }
}
