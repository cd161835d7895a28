package io.sluice.verbs;

/**
 * Flags for the behaviour of a completion queue, with the values of {@code enum ibv_create_cq_attr_flags}
 * (ibv_create_cq_ex(3)). {@link DeviceAttributes#completionQueueFlags()} tells which of them a device has. Any thread.
 */
public final class CompletionQueueFlags {
    /** No flag. */
    public static final int NONE = 0;
    /** One thread does everything with the queue, closing included: the device need not lock. */
    public static final int SINGLE_THREADED = 1;
    /**
     * The queue is not found to overrun: no {@link AsyncEventType#CQ_ERR}. The application must see to it that it never
     * does, or completions may be lost.
     */
    public static final int IGNORE_OVERRUN = 1 << 1;

    private static final String[] NAMES = {"SINGLE_THREADED", "IGNORE_OVERRUN"};

    private CompletionQueueFlags() {
    }

    /**
     * The names of flags.
     *
     * @param flags any bits.
     * @return for example {@code "SINGLE_THREADED|IGNORE_OVERRUN"}; empty for none.
     */
    public static String describe(final int flags) {
        return CompletionField.names(flags, NAMES);
    }
}
