package io.sluice.transport.behaviour.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.environment.ForwardingEnvironment;
import io.sluice.environment.SystemEnvironment;
import io.sluice.transport.ExclusivePublication;
import io.sluice.transport.Subscription;
import io.sluice.transport.Transport;
import io.sluice.transport.harness.DeviceNews;
import io.sluice.transport.harness.Transports;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.VerbsException;
import io.sluice.verbs.software.SoftwareDevice;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Conduct of transports when a port is down, active, or has another address: what is broken is tried at once
 * and loses nothing, what works is left alone. Time stands still where something must not come of time.
 */
@Tag("long")
class PortEventsTest {
    private static final int STREAM_ID = 1;
    private static final int MESSAGES = 100;
    /** Enough for whatever would be done without waiting. */
    private static final int CYCLES = 200;
    private static final int EADDRNOTAVAIL = 99;
    private static final String ADDRESS = "10.0.0.1:40123";
    private static final String RDMA = "sluice:rdma?endpoint=" + ADDRESS;

    @RegisterExtension
    private final Transports transports = new Transports();

    private final DeviceNews news = new DeviceNews();
    private final StoppedClock clock = new StoppedClock();
    private Transport publishing;
    private Transport subscribing;
    private ExclusivePublication publication;
    private Subscription subscription;
    private int sent;
    private int received;

    /** The real machine with a clock that a test can stop. */
    private static final class StoppedClock extends ForwardingEnvironment {
        private volatile long stoppedNs;

        private StoppedClock() {
            super(SystemEnvironment.instance());
        }

        private void stop() {
            stoppedNs = super.nanoTime();
        }

        /** The clock goes on from where it was. */
        private void goOn() {
            stoppedNs = 0;
        }

        @Override
        public long nanoTime() {
            final long atNs = stoppedNs;
            return atNs == 0 ? super.nanoTime() : atNs;
        }
    }

    private void connect() {
        publishing = transports.launch(context -> context.environment(clock), news::of);
        subscribing = transports.launch(context -> context.environment(clock));
        connectBoth();
    }

    private void connectBoth() {
        subscription = subscribing.addSubscription(transports.channel("log=copied"), STREAM_ID);
        publication = publishing.addExclusivePublication(transports.channel("window=64k|log=copied"), STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        send();
    }

    private void poll() {
        subscription.poll(
            (buffer, offset, length, header) -> assertEquals(received++, buffer.getInt(offset)), MESSAGES);
    }

    private void send() {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
        for (int i = 0; i < MESSAGES; i++) {
            message.putInt(0, sent++);
            Await.until("room", () -> {
                poll();
                return publication.offer(message) > 0;
            });
        }
        Await.until(() -> sent + " messages instead of " + received, () -> {
            poll();
            return received == sent;
        }, Await.DEADLINE_SECONDS);
    }

    private void awaitCount(final Transport transport, final TransportCounter counter, final long count) {
        Await.until(() -> counter + "=" + count + " in " + transport.counters() + transports.errors(), () -> {
            poll();
            return transport.counters().get(counter) == count;
        }, Await.DEADLINE_SECONDS);
    }

    private long errors(final String text) {
        return transports.errors().stream().filter(error -> String.valueOf(error).contains(text)).count();
    }

    @ParameterizedTest
    @EnumSource(names = {"PORT_ACTIVE", "LID_CHANGE", "PKEY_CHANGE", "SM_CHANGE", "CLIENT_REREGISTER", "GID_CHANGE"})
    void shouldResumeAtOnceWhenAPortTellsOfAChange(final AsyncEventType type) {
        connect();
        shouldResumeAtOnce(type);
    }

    @ParameterizedTest
    @EnumSource(names = {"PORT_ACTIVE", "GID_CHANGE"})
    void shouldResumeAtOnceWhenAPortOfTheSubscriberTellsOfAChange(final AsyncEventType type) {
        publishing = transports.launch(context -> context.environment(clock));
        subscribing = transports.launch(context -> context.environment(clock), news::of);
        connectBoth();
        shouldResumeAtOnce(type);
    }

    private void shouldResumeAtOnce(final AsyncEventType type) {
        clock.stop();
        news.failSetups(new VerbsException("ibv_query_gid", EADDRNOTAVAIL, "the address is gone"));
        assertEquals(1, news.failQueuePairs());
        awaitCount(publishing, TransportCounter.LINKS_BROKEN, 1);
        // a subscriber's end is quiescent when the program polls
        Await.until("an attempt that fails", () -> {
            poll();
            return errors("the address is gone") > 0;
        });
        news.failSetups(null);
        news.awaitPolls(CYCLES);
        assertEquals(0, publishing.counters().get(TransportCounter.LINKS_RESUMED), "it waits for its time");

        news.tell(type, 1);

        awaitCount(publishing, TransportCounter.LINKS_RESUMED, 1);
        clock.goOn();
        send();
        assertEquals(1, publishing.counters().get(TransportCounter.LINKS_ESTABLISHED));
        assertEquals(0, publishing.counters().get(TransportCounter.LINKS_GONE));
        assertEquals(1, subscription.imageCount());
    }

    @Test
    void shouldTellOnceThatAPortIsDownAndLeaveWhatWorksAlone() {
        connect();
        for (int i = 0; i < 3; i++) {
            news.tell(AsyncEventType.PORT_ERR, 1);
        }
        news.tell(AsyncEventType.PORT_ERR, 2);
        transports.awaitError("DEVICE_FAILED", "port 1 is down (PORT_ERR)");
        transports.awaitError("DEVICE_FAILED", "port 2 is down (PORT_ERR)");
        assertEquals(1, errors("port 1 is down"));
        assertEquals(2, publishing.counters().get(TransportCounter.ERRORS_REPEATED));

        news.tell(AsyncEventType.PORT_ACTIVE, 1);
        news.tell(AsyncEventType.PORT_ERR, 1);
        Await.until("the second time", () -> errors("port 1 is down") == 2);
        assertEquals(1, errors("port 2 is down"));
        assertEquals(5, publishing.counters().get(TransportCounter.DEVICE_EVENTS));
        send();
        assertEquals(0, publishing.counters().get(TransportCounter.LINKS_BROKEN));
        assertEquals(0, publishing.counters().get(TransportCounter.CONNECTIONS_LOST));
    }

    private Transport launchRdma(final boolean isNews) {
        return transports.launch(context -> context.environment(clock).rdmaProvider((environment, options) -> {
            final SoftwareDevice device = SoftwareDevice.open(environment, transports.fabric().directory());
            return isNews ? news.of(device) : device;
        }));
    }

    @Test
    void shouldConnectAtOnceWhenAPortTellsOfAChange() {
        publishing = launchRdma(true);
        subscribing = launchRdma(false);
        publication = publishing.addExclusivePublication(RDMA, STREAM_ID);
        news.awaitPolls(CYCLES);
        clock.stop();
        news.awaitPolls(CYCLES);
        subscription = subscribing.addSubscription(RDMA, STREAM_ID);
        news.awaitPolls(CYCLES);
        assertEquals(0, publishing.counters().get(TransportCounter.CONNECTIONS_ESTABLISHED), "it waits for its time");

        news.tell(AsyncEventType.GID_CHANGE, 1);

        awaitCount(publishing, TransportCounter.CONNECTIONS_ESTABLISHED, 1);
        clock.goOn();
        Transports.awaitConnected(publication, subscription);
        send();
    }

    @Test
    void shouldConnectOnceMoreWhenAPortTellsOfAChangeWhileAConnectionIsMade() {
        publishing = launchRdma(true);
        subscribing = launchRdma(false);
        subscription = subscribing.addSubscription(RDMA, STREAM_ID);
        news.holdConnections();
        publication = publishing.addExclusivePublication(RDMA, STREAM_ID);
        news.awaitHeldConnection();
        clock.stop();
        news.tell(AsyncEventType.GID_CHANGE, 1);
        news.awaitPolls(CYCLES);

        news.failHeldConnections();

        awaitCount(publishing, TransportCounter.CONNECTIONS_ESTABLISHED, 1);
        clock.goOn();
        Transports.awaitConnected(publication, subscription);
        send();
    }

    @Test
    void shouldTellOfEachAddressWhereListeningAnewFailsForAReasonThatNobodyExpects() {
        final String other = "10.0.0.1:40124";
        subscribing = launchRdma(true);
        subscription = subscribing.addSubscription(RDMA, STREAM_ID);
        subscribing.addSubscription(RDMA.replace(ADDRESS, other), STREAM_ID);
        news.failRenewals(new IllegalArgumentException("a provider's mistake"));

        news.tell(AsyncEventType.GID_CHANGE, 1);

        transports.awaitError("nobody can connect to address=" + ADDRESS, "a provider's mistake");
        transports.awaitError("CONNECTION_FAILED", "nobody can connect to address=" + other, "a provider's mistake");
        news.failRenewals(null);
        publishing = launchRdma(false);
        publication = publishing.addExclusivePublication(RDMA, STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        send();
    }

    @ParameterizedTest
    @EnumSource(names = {"PORT_ACTIVE", "LID_CHANGE", "GID_CHANGE"})
    void shouldListenAnewWhereAnAddressMayHaveMoved(final AsyncEventType type) {
        subscribing = launchRdma(true);
        publishing = launchRdma(false);
        subscription = subscribing.addSubscription(RDMA, STREAM_ID);
        news.failRenewals(new VerbsException("rdma_bind_addr", EADDRNOTAVAIL, "not here any more"));

        news.tell(type, 1);
        Await.until("a look", () -> news.renewals() == 1);
        news.tell(type, 1);
        Await.until("another look", () -> news.renewals() == 2);

        transports.awaitError("nobody can connect to address=" + ADDRESS, "not here any more", "EADDRNOTAVAIL");
        awaitCount(subscribing, TransportCounter.ERRORS_REPEATED, 1);
        news.failRenewals(null);
        news.tell(type, 1);
        Await.until("one more look", () -> news.renewals() == 3);
        assertEquals(1, errors("nobody can connect to"), "told once: " + transports.errors());
        news.failRenewals(new VerbsException("rdma_bind_addr", EADDRNOTAVAIL, "not here any more"));
        news.tell(type, 1);
        Await.until("that it is told again", () -> errors("nobody can connect to") == 2);
        news.failRenewals(null);
        news.tell(type, 1);
        Await.until("the last look", () -> news.renewals() == 5);
        publication = publishing.addExclusivePublication(RDMA, STREAM_ID);
        Transports.awaitConnected(publication, subscription);
        send();
        assertTrue(subscription.isConnected(), List.copyOf(transports.errors()).toString());
    }
}
