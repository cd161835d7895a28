package io.sluice.transport.harness;

import io.sluice.transport.Context;
import io.sluice.transport.HandlerGraph;
import io.sluice.transport.Publication;
import io.sluice.transport.Transport;
import io.sluice.transport.kit.Await;
import io.sluice.transport.status.TransportCounter;
import io.sluice.transport.status.TransportException;
import io.sluice.verbs.RdmaDevice;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A process of the end-to-end tests: one transport, told in lines what to publish and what to subscribe. Its settings
 * are system properties: the transport's own, {@code test.hook=true} for a device with {@link ScriptedFaults}, and
 * {@code test.undersized=KIND-MANNER} with {@code test.undersized.capacity=N} for one with {@link UndersizedQueues}.
 * With {@code test.pressure=true} it says each change of the pressure; with {@code test.stranger.host=ADDRESS} its
 * {@code sluice:rdma} is over the software device, and all peers come from there.
 */
final class PeerMain {
    private static final String HOST = "10.0.0.1";

    private final Path journals;
    private final ScriptedFaults faults;
    private final RdmaDevice device;
    private final Transport transport;
    private final Map<String, LoadPublisher> publishers = new TreeMap<>();
    private final Map<String, LoadSubscriber> subscribers = new TreeMap<>();
    private final Map<String, LoadConsumer> consumers = new TreeMap<>();
    private final Descriptors descriptors = new Descriptors();

    private PeerMain(final Path directory, final Path journals) {
        this.journals = journals;
        faults = new ScriptedFaults(journals);
        final Context context = new Context().directory(directory).errorHandler(PeerMain::onError);
        if (Boolean.getBoolean("test.pressure")) {
            context.backPressureListener(change -> say("PRESSURE state=" + change.state() + " cause="
                + change.cause() + " behind=" + change.bytesBehind()));
        }
        TestMedium.equip(context, directory);
        final String stranger = System.getProperty("test.stranger.host");
        if (stranger != null) {
            context.rdmaProvider((environment, options) -> new AddressedHosts(stranger).open(directory, HOST));
        }
        final String undersized = System.getProperty("test.undersized");
        device = undersized == null && !Boolean.getBoolean("test.hook") ? null
            : TestMedium.equip(context, directory, faults,
                actual -> undersized == null ? actual : undersized(actual, undersized));
        transport = Transport.launch(context);
    }

    private static RdmaDevice undersized(final RdmaDevice device, final String kindAndManner) {
        final String[] words = kindAndManner.split("-");
        return new UndersizedQueues(device, UndersizedQueues.Kind.valueOf(words[0]),
            UndersizedQueues.Manner.valueOf(words[1]), Integer.getInteger("test.undersized.capacity"), 1);
    }

    public static void main(final String[] arguments) throws IOException {
        final PeerMain peer = new PeerMain(Path.of(arguments[0]), Path.of(arguments[1]));
        say("READY");
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            String text;
            while ((text = input.readLine()) != null) {
                final Line command = Line.parse(text);
                if (command.word().equals("exit")) {
                    peer.close();
                    say("BYE");
                    System.exit(0);
                }
                peer.obey(command);
            }
        }
        Runtime.getRuntime().halt(1);
    }

    static void say(final String text) {
        synchronized (System.out) {
            System.out.println(text);
            System.out.flush();
        }
    }

    private static void onError(final Throwable error) {
        say("ERROR type="
            + (error instanceof TransportException told ? told.kind() : error.getClass().getSimpleName()) + " text="
            + String.valueOf(error.getMessage()).replaceAll("\\s", "_"));
        error.printStackTrace();
    }

    private void obey(final Line command) {
        try {
            switch (command.word()) {
                case "publish" ->
                    publishers.put(command.text("name"), new LoadPublisher(command, publication(command), journals));
                case "subscribe" ->
                    subscribers.put(command.text("name"), new LoadSubscriber(command, transport, journals));
                case "consume" -> consume(command);
                case "block" -> consumers.get(command.text("name")).block();
                case "unblock" -> consumers.get(command.text("name")).unblock();
                case "go" -> publishers.get(command.text("name")).go();
                case "halt" -> publishers.get(command.text("name")).halt();
                case "close" -> close(command);
                case "leave" -> leave(command);
                case "pause", "resume" -> pause(command);
                case "slow" -> slow(command);
                case "state" -> state(command);
                case "counters" -> counters();
                case "fault" -> faults.arm(command);
                case "release" -> faults.release();
                case "exhaust" -> say("EXHAUSTED unopened=" + descriptors.openClasses() + " descriptors="
                    + descriptors.takeAll());
                case "replenish" -> descriptors.giveBack();
                case "posted" -> say("POSTED " + faults.describe());
                default -> throw new IllegalArgumentException("unknown command: " + command);
            }
            say("OK command=" + command.word());
        } catch (final Throwable ex) {
            onError(ex);
            say("REJECTED command=" + command.word() + " type=" + ex.getClass().getSimpleName());
        }
    }

    private Publication publication(final Line command) {
        final String channel = command.text("channel");
        final int streamId = command.intNumber("stream");
        return command.flag("shared")
            ? transport.addPublication(channel, streamId)
            : transport.addExclusivePublication(channel, streamId);
    }

    /** One subscription whose handlers, {@code names=a,b,...}, all see each message at once. */
    private void consume(final Line command) {
        final HandlerGraph graph = new HandlerGraph();
        final List<ImageJournals> all = Stream.of(command.text("names").split(","))
            .map(name -> new ImageJournals(name, command.intNumber("stream"), journals)).toList();
        for (final ImageJournals images : all) {
            final LoadConsumer consumer = new LoadConsumer(images);
            graph.handleEventsWith(consumer);
            consumers.put(images.name(), consumer);
        }
        transport.addSubscription(
            command.text("channel"), command.intNumber("stream"), graph,
            image -> all.forEach(images -> images.onAvailable(image)),
            image -> all.forEach(images -> images.onUnavailable(image)));
    }

    private void close(final Line command) {
        final LoadPublisher publisher = publishers.get(command.text("name"));
        final long lost = transport.counters().get(TransportCounter.LINGER_EXPIRED);
        publisher.close();
        final long seconds = command.number("seconds", Await.DEADLINE_SECONDS);
        if (!command.flag("at-once")) {
            Await.until(() -> "drain of " + command, () -> publisher.publication().isDrained()
                || transport.counters().get(TransportCounter.LINGER_EXPIRED) != lost, seconds);
        }
        say("CLOSED name=" + command.text("name") + " drained=" + publisher.publication().isDrained());
    }

    private void leave(final Line command) {
        final LoadSubscriber subscriber = subscribers.get(command.text("name"));
        subscriber.leave();
        say("LEFT name=" + command.text("name") + " messages=" + subscriber.messages());
    }

    private void pause(final Line command) {
        final boolean pause = command.word().equals("pause");
        final LoadSubscriber subscriber = subscribers.get(command.text("name"));
        subscriber.pause(pause);
        say((pause ? "PAUSED" : "RESUMED") + " name=" + command.text("name") + " messages=" + subscriber.messages());
    }

    private void slow(final Line command) {
        final LoadConsumer consumer = consumers.get(command.text("name"));
        if (consumer != null) {
            consumer.slow(command.number("pause-ns"));
        } else {
            subscribers.get(command.text("name")).slow(command.number("pause-ns"));
        }
    }

    private void state(final Line command) {
        final String name = command.text("name");
        final LoadPublisher publisher = publishers.get(name);
        if (publisher != null) {
            say("STATE name=" + name + " position=" + publisher.publication().position() + " connected="
                + publisher.publication().isConnected() + " limit=" + publisher.publication().positionLimit()
                + " session=" + publisher.publication().sessionId() + " back-pressured=" + publisher.backPressured());
        } else if (consumers.containsKey(name)) {
            say("STATE name=" + name + " messages=" + consumers.get(name).messages());
        } else {
            final LoadSubscriber subscriber = subscribers.get(name);
            say("STATE name=" + name + " messages=" + subscriber.messages() + " images=" + subscriber.images());
        }
    }

    private void counters() {
        final StringBuilder text = new StringBuilder("COUNTERS");
        for (final TransportCounter counter : TransportCounter.values()) {
            text.append(' ').append(counter.label()).append('=').append(transport.counters().get(counter));
        }
        say(text.toString());
    }

    private void close() {
        transport.close();
        if (device != null) {
            device.close();
        }
    }
}
