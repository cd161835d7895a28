package io.sluice.transport;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A channel's text, taken apart and checked: {@code sluice:media?key=value|key=value}, in Aeron's grammar, where the
 * last of equal keys wins. Immutable; any thread.
 */
final class ChannelUri {
    static final String PREFIX = "sluice:";
    static final String MEDIA_IPC = "ipc";
    static final String MEDIA_RDMA = "rdma";
    static final String ENDPOINT = "endpoint";
    static final String WINDOW = "window";
    static final String MODE = "mode";
    static final String LINGER = "linger";
    static final String SESSION_ID = "session-id";
    static final String RECEIVE_DEPTH = "receive-depth";
    static final String WRITES_IN_FLIGHT = "writes-in-flight";
    static final String LOG = "log";
    static final String COMPLETION = "completion";
    static final String MODERATION = "moderation";
    static final String RING = "ring";
    static final String POLLER = "poller";
    static final String RECEIVE_TIMESTAMPS = "receive-timestamps";
    static final String LATENCY = "latency";
    static final String TIMESTAMPS = "timestamps";
    static final String SLOW = "slow";
    static final String EVICT_BEHIND = "evict-behind";
    static final String EVICT_AFTER = "evict-after";
    static final String EVICT_TIMEOUT = "evict-timeout";
    static final String FLOW_CONTROL = "fc";
    static final String GROUP_TAG = "gtag";
    static final String CONTROL = "control";
    static final String CONTROL_MODE = "control-mode";
    static final String ALIAS = "alias";
    static final String DEVICE = "device";
    static final String PORT = "port";
    static final String GID = "gid";
    static final String COMPLETION_INTERFACE = "cq";

    private static final String DYNAMIC = "dynamic";

    /** Longest channel text: that of a control message. */
    private static final int MAX_LENGTH = 2048;
    /** Longest endpoint name, so that the path of its socket fits the operating system's bound. */
    private static final int MAX_ENDPOINT_LENGTH = 40;
    /** Bytes of the longest address: a host name of 253, and a port. */
    private static final int MAX_ADDRESS_LENGTH = 262;
    private static final int MAX_PORT = 65535;
    private static final List<String> KEYS = List.of(
        ENDPOINT, WINDOW, MODE, LINGER, SESSION_ID, RECEIVE_DEPTH, WRITES_IN_FLIGHT, LOG, COMPLETION,
        MODERATION, RING, POLLER, RECEIVE_TIMESTAMPS, TIMESTAMPS, LATENCY, SLOW, EVICT_BEHIND, EVICT_AFTER,
        EVICT_TIMEOUT, FLOW_CONTROL, GROUP_TAG, CONTROL, CONTROL_MODE,
        ALIAS, DEVICE, PORT, GID, COMPLETION_INTERFACE);
    private static final List<String> RDMA_KEYS = List.of(DEVICE, PORT, GID, COMPLETION_INTERFACE);
    /** An address that a device has, since others are told it: host name, IPv4, or IPv6 in brackets. */
    private static final Pattern ADDRESS = Pattern.compile(
        "(?<host>[A-Za-z0-9][A-Za-z0-9._-]*|\\[[0-9A-Fa-f:.]+(%[A-Za-z0-9._-]+)?]):(?<port>[0-9]+)");
    private static final List<String> ANY_HOST = List.of("0.0.0.0", "[::]");

    private final String text;
    private final String media;
    private final Map<String, String> parameters;

    private ChannelUri(final String text, final String media, final Map<String, String> parameters) {
        this.text = text;
        this.media = media;
        this.parameters = parameters;
    }

    static ChannelUri parse(final String text) {
        if (text == null || !text.startsWith(PREFIX)) {
            throw new IllegalArgumentException("a channel begins with \"" + PREFIX + "\": channel=" + text);
        }
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("channel too long: length=" + text.length() + " maximum=" + MAX_LENGTH);
        }
        final int query = text.indexOf('?');
        final String media = text.substring(PREFIX.length(), query < 0 ? text.length() : query);
        if (!media.equals(MEDIA_IPC) && !media.equals(MEDIA_RDMA)) {
            throw new IllegalArgumentException(
                "unknown media: media=" + media + " known=" + MEDIA_IPC + "," + MEDIA_RDMA + " channel=" + text);
        }
        final Map<String, String> parameters = new LinkedHashMap<>();
        if (query >= 0 && query + 1 < text.length()) {
            for (final String pair : text.substring(query + 1).split("\\|", -1)) {
                addParameter(text, parameters, pair);
            }
        }
        final ChannelUri uri = new ChannelUri(text, media, parameters);
        uri.checkEndpoint();
        return uri;
    }

    private static void addParameter(final String text, final Map<String, String> parameters, final String pair) {
        final int equals = pair.indexOf('=');
        if (equals < 1 || equals == pair.length() - 1) {
            throw new IllegalArgumentException("expected key=value: found=\"" + pair + "\" channel=" + text);
        }
        final String key = pair.substring(0, equals);
        if (!KEYS.contains(key)) {
            throw new IllegalArgumentException(
                "unknown channel key: key=" + key + " known=" + String.join(",", KEYS) + " channel=" + text);
        }
        parameters.put(key, pair.substring(equals + 1));
    }

    private void checkEndpoint() {
        checkControl();
        final String key = control() == null ? ENDPOINT : CONTROL;
        if (!isRdma()) {
            checkName(key, control() == null ? endpoint() : control());
            checkNoRdmaKeys();
        } else if (parameters.get(key) == null) {
            throw new IllegalArgumentException("missing: key=" + ENDPOINT + " channel=" + text);
        } else {
            checkAddress(key, parameters.get(key));
        }
    }

    private void checkNoRdmaKeys() {
        for (final String key : RDMA_KEYS) {
            if (parameters.containsKey(key)) {
                throw new IllegalArgumentException(
                    "only " + PREFIX + MEDIA_RDMA + " has a device to choose: key=" + key + " channel=" + text);
            }
        }
    }

    private void checkAddress(final String key, final String address) {
        final Matcher matcher = ADDRESS.matcher(address);
        if (address.length() > MAX_ADDRESS_LENGTH || !matcher.matches()) {
            throw new IllegalArgumentException("an rdma " + key + " is host:port, an IPv6 address in brackets: "
                + key + "=" + address + " channel=" + text);
        }
        parse("port", matcher.group("port"), 1, MAX_PORT, Quantities::count);
        if (ANY_HOST.contains(matcher.group("host"))) {
            throw new IllegalArgumentException("an rdma " + key + " names one address of a device, which the others"
                + " connect to: " + key + "=" + address + " channel=" + text);
        }
    }

    private void checkName(final String key, final String name) {
        if (!name.matches("[A-Za-z0-9_][A-Za-z0-9._-]{0," + (MAX_ENDPOINT_LENGTH - 1) + "}")) {
            throw new IllegalArgumentException("an ipc " + key + " is a name of 1 to " + MAX_ENDPOINT_LENGTH
                + " letters, digits, '.', '_', '-': " + key + "=" + name + " channel=" + text);
        }
    }

    private void checkControl() {
        final String mode = parameters.get(CONTROL_MODE);
        if (mode != null && !mode.equals(DYNAMIC)) {
            throw new IllegalArgumentException(
                "unknown value: " + CONTROL_MODE + "=" + mode + " known=" + DYNAMIC + " channel=" + text);
        } else if ((mode == null) != (control() == null)) {
            throw new IllegalArgumentException(
                CONTROL + " and " + CONTROL_MODE + "=" + DYNAMIC + " belong together: channel=" + text);
        } else if (mode != null && parameters.get(ENDPOINT) != null) {
            throw new IllegalArgumentException(
                "who meets under a control name has no endpoint: channel=" + text);
        }
    }

    /** The name that the publication owns and any number of subscribers join under, or null. */
    String control() {
        return parameters.get(CONTROL);
    }

    String media() {
        return media;
    }

    boolean isRdma() {
        return media.equals(MEDIA_RDMA);
    }

    String endpoint() {
        return parameters.getOrDefault(ENDPOINT, "default");
    }

    boolean has(final String key) {
        return parameters.containsKey(key);
    }

    int intValue(final String key, final int defaultValue, final int minimum, final int maximum) {
        return (int) number(key, defaultValue, minimum, maximum, Quantities::count);
    }

    int sizeValue(final String key, final int defaultValue, final int minimum, final int maximum) {
        return (int) number(key, defaultValue, minimum, maximum, Quantities::size);
    }

    long durationNsValue(final String key, final long defaultValue, final long minimum, final long maximum) {
        return number(key, defaultValue, minimum, maximum, Quantities::durationNs);
    }

    private long number(
        final String key,
        final long defaultValue,
        final long minimum,
        final long maximum,
        final Quantities.Parser parser) {
        final String value = parameters.get(key);
        return value == null ? defaultValue : parse(key, value, minimum, maximum, parser);
    }

    private long parse(final String name, final String value, final long minimum, final long maximum,
        final Quantities.Parser parser) {
        try {
            return parser.parse(name, value, minimum, maximum);
        } catch (final IllegalArgumentException ex) {
            throw new IllegalArgumentException(ex.getMessage() + " channel=" + text, ex);
        }
    }

    /** Any text; null when the key is not there. */
    String value(final String key) {
        return parameters.get(key);
    }

    long longValue(final String key, final long defaultValue, final long minimum, final long maximum) {
        return number(key, defaultValue, minimum, maximum, Quantities::count);
    }

    /** Value of a key that is {@code true} or {@code false}, which is the default. */
    boolean isTrue(final String key) {
        return wordValue(key, "false", List.of("true", "false")).equals("true");
    }

    /** Value of a key with a closed set of words; the answer is one of them. */
    String wordValue(final String key, final String defaultValue, final List<String> words) {
        final String value = parameters.getOrDefault(key, defaultValue);
        if (!words.contains(value)) {
            throw new IllegalArgumentException(
                "unknown value: " + key + "=" + value + " known=" + String.join(",", words) + " channel=" + text);
        }
        return value;
    }

    @Override
    public String toString() {
        return text;
    }
}
