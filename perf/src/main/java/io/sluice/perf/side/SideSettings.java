package io.sluice.perf.side;

import io.sluice.perf.peer.PeerKind;
import java.nio.file.Path;
import java.util.List;

/**
 * The settings that a measuring process is told. They travel as the arguments of {@link SideProcess}.
 *
 * @param role          to play.
 * @param peer          to measure.
 * @param address       of this host, for peers that need one.
 * @param folder        of the measurement, shared by its two processes.
 * @param cpu           to pin the measured thread to.
 * @param messageLength in bytes.
 * @param ratePerSecond messages to send per second, 0 when nobody asks for a rate.
 * @param receivers     of the stream that one thread polls, of which the one polled last answers.
 * @param pauseNs       how long a slow consumer stands still after every {@link #pauseInterval} messages.
 * @param warmUpNs      warm-up time at least; round trips also warm up for a number of rounds.
 * @param roundTrips    to measure.
 * @param durationNs    to measure a one-way stream.
 * @param yielding      whether it offers its processor to others while it waits, since not everybody has one.
 */
public record SideSettings(
    Role role,
    PeerKind peer,
    String address,
    Path folder,
    int cpu,
    int messageLength,
    int ratePerSecond,
    int receivers,
    long pauseNs,
    long warmUpNs,
    int roundTrips,
    long durationNs,
    boolean yielding) {

    /** Shortest message: it carries sequence, phase and check. */
    public static final int MESSAGE_LENGTH_MIN = 24;
    /** Messages between pauses of a slow consumer: more than a ring, so that it is not behind from the one before. */
    public static final int MAX_PAUSE_INTERVAL = 20_000;
    /** Pauses begin this often a second, where fewer messages are sent: the longest ends before the next begins. */
    public static final int PAUSES_PER_SECOND = 5;

    /**
     * The messages between pauses of a slow consumer.
     *
     * @return at least 1, at most {@link #MAX_PAUSE_INTERVAL}.
     */
    public int pauseInterval() {
        return ratePerSecond == 0 ? MAX_PAUSE_INTERVAL
            : Math.clamp(ratePerSecond / PAUSES_PER_SECOND, 1, MAX_PAUSE_INTERVAL);
    }

    /**
     * The file that a process leaves its result in.
     *
     * @param someRole of this or the other process.
     * @return its path.
     */
    public Path resultFile(final Role someRole) {
        return folder.resolve(someRole.name().toLowerCase(java.util.Locale.ROOT) + ".properties");
    }

    /**
     * The arguments of a process that carry the settings.
     *
     * @return one per field, in the order of the fields.
     */
    public List<String> toArguments() {
        return List.of(
            role.name(), peer.name(), address, folder.toString(), Integer.toString(cpu),
            Integer.toString(messageLength), Integer.toString(ratePerSecond), Integer.toString(receivers),
            Long.toString(pauseNs), Long.toString(warmUpNs), Integer.toString(roundTrips), Long.toString(durationNs),
            Boolean.toString(yielding));
    }

    static SideSettings ofArguments(final String[] args) {
        if (args.length != SideSettings.class.getRecordComponents().length) {
            throw new IllegalArgumentException("started by ./sluice bench only: arguments=" + args.length);
        }
        int next = 0;
        return new SideSettings(
            Role.valueOf(args[next++]),
            PeerKind.valueOf(args[next++]),
            args[next++],
            Path.of(args[next++]),
            Integer.parseInt(args[next++]),
            Integer.parseInt(args[next++]),
            Integer.parseInt(args[next++]),
            Integer.parseInt(args[next++]),
            Long.parseLong(args[next++]),
            Long.parseLong(args[next++]),
            Integer.parseInt(args[next++]),
            Long.parseLong(args[next++]),
            Boolean.parseBoolean(args[next]));
    }

    /** The settings of the other role, on another processor. */
    SideSettings asOther(final int otherCpu) {
        return new SideSettings(
            other(), peer, address, folder, otherCpu, messageLength, ratePerSecond, receivers, pauseNs, warmUpNs,
            roundTrips, durationNs, yielding);
    }

    Role other() {
        return switch (role) {
            case PING, HAND_OFF, FIXED_RATE -> Role.PONG;
            case PONG -> Role.PING;
            case PACED_HAND_OFF -> Role.FAST_AND_SLOW;
            case FAST_AND_SLOW -> Role.PACED_HAND_OFF;
            case PUBLISH -> Role.SUBSCRIBE;
            case SUBSCRIBE -> Role.PUBLISH;
        };
    }
}
