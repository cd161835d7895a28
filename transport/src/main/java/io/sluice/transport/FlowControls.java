package io.sluice.transport;

import io.sluice.transport.send.FlowControl;
import io.sluice.transport.send.FlowControl.Strategy;

/**
 * The channel key {@code fc} in Aeron's grammar: {@code min[,g:/MINIMUM][,t:TIMEOUT]}, {@code max}, or
 * {@code tagged,g:TAG[/MINIMUM][,t:TIMEOUT]}. Stateless; any thread.
 */
final class FlowControls {
    private static final String MIN = "min";
    private static final String MAX = "max";
    private static final String TAGGED = "tagged";
    private static final String GROUP = "g:";
    private static final String TIMEOUT = "t:";

    private FlowControls() {
    }

    static FlowControl parse(final ChannelUri uri, final long resumeTimeoutNs, final long maxTimeoutNs) {
        final String text = uri.value(ChannelUri.FLOW_CONTROL);
        if (text == null) {
            return FlowControl.min(resumeTimeoutNs);
        }
        final String[] parts = text.split(",", -1);
        final Strategy strategy = switch (parts[0]) {
            case MIN -> Strategy.MIN;
            case MAX -> Strategy.MAX;
            case TAGGED -> Strategy.TAGGED;
            default -> throw mistake("unknown flow control, known=min,max,tagged", uri);
        };
        long tag = FlowControl.NO_TAG;
        int minimum = 0;
        long timeoutNs = resumeTimeoutNs;
        for (int i = 1; i < parts.length; i++) {
            if (strategy == Strategy.MAX) {
                throw mistake("fc=max takes no options", uri);
            } else if (isRepeated(parts, i)) {
                throw mistake("given twice: found=\"" + parts[i] + "\"", uri);
            } else if (parts[i].startsWith(GROUP)) {
                final String group = parts[i].substring(GROUP.length());
                final int slash = group.indexOf('/');
                tag = tag(slash < 0 ? group : group.substring(0, slash));
                minimum = slash < 0 ? 0 : minimum(group.substring(slash + 1));
            } else if (parts[i].startsWith(TIMEOUT)) {
                timeoutNs = Quantities.durationNs("fc t", parts[i].substring(TIMEOUT.length()),
                    Configuration.TIMEOUT_MIN_NS, maxTimeoutNs);
            } else {
                throw mistake("expected g:TAG/MINIMUM or t:TIMEOUT: found=\"" + parts[i] + "\"", uri);
            }
        }
        if (strategy == Strategy.TAGGED != (tag != FlowControl.NO_TAG)) {
            throw mistake(strategy == Strategy.TAGGED
                ? "fc=tagged needs the tag of its group, for example fc=tagged,g:1"
                : "fc=min has no tag; for a minimum of subscribers write fc=min,g:/2", uri);
        }
        return new FlowControl(strategy, tag, minimum, timeoutNs);
    }

    private static boolean isRepeated(final String[] parts, final int index) {
        for (int i = 1; i < index; i++) {
            if (parts[i].regionMatches(0, parts[index], 0, GROUP.length())) {
                return true;
            }
        }
        return false;
    }

    private static long tag(final String text) {
        if (text.isEmpty()) {
            return FlowControl.NO_TAG;
        }
        return Quantities.count("fc g", text, FlowControl.NO_TAG + 1, Long.MAX_VALUE);
    }

    private static int minimum(final String text) {
        return (int) Quantities.count("fc g/", text, 0, Configuration.GROUP_MINIMUM_MAX);
    }

    private static IllegalArgumentException mistake(final String what, final ChannelUri uri) {
        return new IllegalArgumentException(
            what + ": fc=" + uri.value(ChannelUri.FLOW_CONTROL) + " channel=" + uri);
    }
}
