package io.sluice.perf.embed;

import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A system, and who runs its agents. */
public enum EmbedCase {
    /** Sluice, its agents and its poll run by the program's own loop. */
    SLUICE_INVOKER("sluice-invoker", true, SluiceEmbedded::invoked),
    /** Aeron's driver, client and poll, likewise. */
    AERON_INVOKER("aeron-invoker", true, AeronEmbedded::invoked),
    /** Sluice with threads of its own, a poller and a handler that back off while nothing arrives. */
    SLUICE_BACKOFF("sluice-backoff", false, () -> SluiceEmbedded.threaded("backoff", "backoff")),
    /** Sluice with threads of its own, a poller and a handler that sleep while nothing arrives. */
    SLUICE_SLEEPING("sluice-sleeping", false, () -> SluiceEmbedded.threaded("sleeping", "blocking")),
    /** Aeron with an embedded driver of one thread that backs off, and a thread that polls and backs off. */
    AERON_BACKOFF("aeron-backoff", false, AeronEmbedded::threaded);

    private final String label;
    private final boolean invoked;
    private final Supplier<EmbeddedSystem> factory;

    EmbedCase(final String label, final boolean invoked, final Supplier<EmbeddedSystem> factory) {
        this.label = label;
        this.invoked = invoked;
        this.factory = factory;
    }

    /** {@return the name in arguments and tables} */
    public String label() {
        return label;
    }

    /** {@return whether the program's own loop runs the agents} */
    public boolean isInvoked() {
        return invoked;
    }

    EmbeddedSystem create() {
        return factory.get();
    }

    /**
     * The case of a name.
     *
     * @param label as {@link #label()}.
     * @return the case.
     * @throws IllegalArgumentException when there is none; the message lists those there are.
     */
    public static EmbedCase of(final String label) {
        return Arrays.stream(values()).filter(known -> known.label.equals(label)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("unknown case: case=" + label + " known="
                + Arrays.stream(values()).map(EmbedCase::label).collect(Collectors.joining(","))));
    }
}
