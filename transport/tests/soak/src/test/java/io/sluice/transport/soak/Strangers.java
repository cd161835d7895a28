package io.sluice.transport.soak;

import io.sluice.transport.harness.ChildJvm;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The visitors that come to processes from outside: links of another stream by the dozen, and strangers who are to be
 * refused. The soak's thread.
 */
final class Strangers {
    /** The counter of what they write where messages are read. */
    static final String FRAMES_REJECTED = "frames-rejected";

    private static final String PEERS_REFUSED = "peers-refused";
    private static final int CHURNED_LINKS = 24;
    /** A few messages each in a millisecond: the processors are busy enough. */
    private static final String CHURN_PACE = " lengths=small pause-ns=1000000 burst=4";
    private static final String GUEST_HOST = "10.0.0.1:";
    private static final int FIRST_GUEST_PORT = 41_000;

    private final SoakSettings settings;
    private final SoakProcesses processes;
    private int guests;

    Strangers(final SoakSettings settings, final SoakProcesses processes) {
        this.settings = settings;
        this.processes = processes;
    }

    /** Links come and go by the dozen, beside those that stay. */
    void churn(final ActiveFault active, final SoakPlace publishing, final SoakPlace subscribing) {
        final ChildJvm publisher = publishing.process();
        final ChildJvm subscriber = subscribing.process();
        final String guest = nextGuest();
        subscriber.tell("subscribe name=" + guest + " stream=" + SoakSettings.OTHER_STREAM_ID + " channel="
            + settings.ofSubscriber(subscribing.number(), publishing.number()));
        for (int i = 1; i <= CHURNED_LINKS; i++) {
            publisher.tell("publish name=" + guest + "-" + i + " id=" + i + CHURN_PACE + " stream="
                + SoakSettings.OTHER_STREAM_ID + " channel=" + settings.ofPublisher(publishing.number())
                + "|linger=60s|window=64k");
        }
        for (int i = 1; i <= CHURNED_LINKS; i++) {
            active.thenAwait(() -> subscriber.poll("AVAILABLE name=" + guest) != null);
        }
        active.then(() -> {
            for (int i = 1; i <= CHURNED_LINKS; i++) {
                publisher.tell("close at-once=true name=" + guest + "-" + i);
            }
        });
        for (int i = 1; i <= CHURNED_LINKS; i++) {
            active.thenAwait(() -> subscriber.poll("UNAVAILABLE end=true name=" + guest) != null);
        }
        leave(active, subscriber, guest);
    }

    private String nextGuest() {
        return "guest" + ++guests;
    }

    private static void leave(final ActiveFault active, final ChildJvm process, final String guest) {
        active.then(() -> process.tell("leave name=" + guest))
            .thenAwait(() -> process.poll("LEFT name=" + guest) != null);
    }

    /** Subscribes, and does not have the key. */
    void wrongKey(final ActiveFault active, final SoakPlace place) {
        final ChildJvm stranger = processes.launchStranger();
        awaitRefusal(active, place, stranger, "subscribe name=stranger stream=" + SoakPlace.STREAM_ID + " channel="
            + settings.ofSubscriber(0), "AUTHENTICATION_FAILED");
        active.then(() -> {
            if (stranger.poll("AVAILABLE") != null) {
                throw new AssertionError("a stranger receives\n" + stranger.describe());
            }
            stranger.exit();
        });
    }

    /** Has the key, and its address is not on the list. */
    void foreignAddress(final ActiveFault active, final SoakPlace place) {
        final ChildJvm process = place.process();
        final ChildJvm stranger = processes.launchForeigner();
        final String guest = nextGuest();
        final String way = " stream=" + SoakSettings.OTHER_STREAM_ID + " channel=sluice:rdma?endpoint=" + GUEST_HOST
            + (FIRST_GUEST_PORT + guests);
        process.tell("subscribe name=" + guest + way);
        awaitRefusal(active, place, stranger, "publish name=stranger id=1 hold=true" + way, "NOT_ALLOWED");
        active.then(() -> {
            if (process.poll("AVAILABLE name=" + guest) != null) {
                throw new AssertionError("a foreigner publishes\n" + process.describe());
            }
            stranger.exit();
        });
        leave(active, process, guest);
    }

    /** Has recorded a handshake of its own, and comes again with it. */
    void replay(final ActiveFault active, final SoakPlace place) {
        final ChildJvm stranger = processes.launchHostile(settings.service(), settings.seed());
        awaitRefusal(active, place, stranger, "replay pid=" + place.process().pid(), "");
        active.thenAwait(() -> stranger.poll("DONE") != null).then(stranger::exit);
    }

    /**
     * The stranger says something, and is refused, for a reason that it hears: so long it is an outage. A process that
     * dials a stranger who lacks the key is refused by it instead: who dials proves first.
     */
    private static void awaitRefusal(
        final ActiveFault active,
        final SoakPlace place,
        final ChildJvm stranger,
        final String command,
        final String reason) {
        final AtomicLong before = new AtomicLong();
        active.thenAwait(() -> stranger.poll("READY") != null)
            .then(active::outageBegins)
            .then(() -> {
                before.set(place.process().counter(PEERS_REFUSED));
                stranger.tell(command);
            })
            // others may be refused at the same time
            .thenAwait(() -> (place.process().counter(PEERS_REFUSED) > before.get()
                || place.process().errors().contains("refused by peer: pid " + stranger.pid() + " AUTHENTICATION"))
                && stranger.errors().contains(reason))
            .then(active::outageEnds);
    }

    /** Is let in, and writes no messages. */
    void noise(final ActiveFault active, final SoakPlace place) {
        final ChildJvm stranger = processes.launchHostile(settings.service(), settings.seed());
        active.thenAwait(() -> stranger.poll("READY") != null)
            .then(active::outageBegins)
            .then(() -> {
                place.onNoise();
                stranger.tell("noise pid=" + place.process().pid() + " stream=" + SoakPlace.STREAM_ID + " shared="
                    + settings.readsSharedLogs(place.number()));
            })
            .thenAwait(() -> stranger.poll("DONE") != null)
            .thenAwait(() -> place.process().counter(FRAMES_REJECTED) == place.noises())
            .then(active::outageEnds)
            .then(stranger::exit);
    }
}
