package io.sluice.transport.harness;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The hosts at which tests over a verbs device publish and subscribe: the system property {@value #PROPERTY} names one
 * or two devices that reach each other, {@code HOST/DEVICE[,HOST/DEVICE]}. The second one subscribes. A device
 * {@value #SOFTWARE} is the software device, in the place of a verbs device, and a {@link TestCard} is one by itself.
 */
public final class RdmaPlaces {
    /** Name of the property of places, for example {@code 10.77.0.1/rxe0,10.77.0.2/rxe1}. */
    public static final String PROPERTY = "sluice.test.rdma";

    private static final String SOFTWARE = "software";

    /** Below those that connections begin at; processes that come one after another do not share them. */
    private static final int MIN_PORT = 20_000;
    private static final int PORTS_OF_A_PROCESS = 100;
    private static final int PROCESSES = 120;

    private static final AtomicInteger PORTS = new AtomicInteger(
        MIN_PORT + (int) (ProcessHandle.current().pid() % PROCESSES) * PORTS_OF_A_PROCESS);

    private final String[] publishing;
    private final String[] subscribing;
    private final boolean areTwo;

    private RdmaPlaces(final String[] places) {
        publishing = places[0].split("/");
        subscribing = places[places.length - 1].split("/");
        areTwo = places.length > 1;
    }

    /** The places; without them the test is skipped. */
    public static RdmaPlaces assumed() {
        if (TestCard.isAsked()) {
            TestCard.assumeModels();
        }
        final String places = System.getProperty(PROPERTY, TestCard.isAsked() ? TestCard.place() : "");
        assumeTrue(!places.isEmpty(), PROPERTY + " names no verbs device: native/lab/transport has one");
        return new RdmaPlaces(places.split(","));
    }

    /** Skip the test unless there is a network, of which the software device has none. */
    public void assumeVerbs() {
        assumeTrue(!isSoftware(), "the software device reaches every address");
    }

    /** Skip the test unless packets cross a network that can be disturbed. */
    public void assumeTwo() {
        assumeTrue(areTwo, PROPERTY + " names one device only: native/lab/transport --devices 2 has two");
    }

    /** Whether the place is the software device. */
    boolean isSoftware() {
        return device().equals(SOFTWARE);
    }

    /** The first device. */
    String device() {
        return publishing[1];
    }

    /** The first device's host. */
    String host() {
        return publishing[0];
    }

    /** An address of the first device where nobody has listened yet. */
    String newAddress() {
        return host() + ":" + PORTS.getAndIncrement();
    }

    /** An endpoint where nobody has listened yet, as {@code endpoint=HOST:PORT}. */
    public String newEndpoint() {
        return "endpoint=" + subscribing[0] + ":" + PORTS.getAndIncrement();
    }

    /** An address at the publisher where nobody has listened yet, as {@code control=HOST:PORT|control-mode=dynamic}. */
    public String newControl() {
        return "control=" + newAddress() + "|control-mode=dynamic";
    }

    /** A channel for the publisher. */
    public String ofPublisher(final String parameters) {
        return " channel=sluice:rdma?" + parameters + "|device=" + publishing[1] + " stream=1";
    }

    /** The channel of {@link #ofPublisher} for a subscriber. */
    public String ofSubscriber(final String parameters) {
        return " channel=sluice:rdma?" + parameters + "|device=" + subscribing[1] + " stream=1";
    }
}
