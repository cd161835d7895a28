package io.sluice.verbs.model;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The threads that are within a batch of an extended completion queue. There a thread polls no other queue, and runs no
 * command, whatever the card.
 * <p>
 * A poll of another queue takes a second lock where the batch holds the first ({@link Trait#LOCKS_BATCHES}), and two
 * threads can do so in either order. Commands that take the lock of a completion queue are {@code ibv_destroy_qp} of
 * mlx5, mlx4, irdma, bnxt (bnxt_re/verbs.c:2242), mana (mana/qp.c:425), efa, hns and ionic; {@code ibv_resize_cq}
 * wherever there is one; {@code ibv_destroy_cq} of mana (mana/cq.c:201) and erdma (erdma/erdma_verbs.c:255);
 * {@code ibv_modify_qp} to RESET of mlx5 (mlx5/verbs.c:3354), mlx4 (mlx4/verbs.c:1184), bnxt (bnxt_re/verbs.c:2186),
 * hns (hns/hns_roce_u_hw_v2.c:1674) and ionic (ionic/ionic_verbs.c:2439), and to ERROR of ionic (:2437);
 * {@code ibv_get_async_event} of bnxt (bnxt_re/verbs.c:1506); {@code ibv_get_cq_event} of irdma (irdma/uverbs.c:1372).
 * All other commands are system calls that take no such lock. They are told all the same, and on every card: as long as
 * one runs, others spin for the lock that the batch holds, or the device waits for entries that the batch has taken.
 * <p>
 * Posts and arming are no commands, nor is what only gives back or names something. Guarded by the fabric's monitor.
 */
final class Batches {
    /** Methods of the model's tables that are no commands. */
    private static final Set<String> HARMLESS = Set.of("ackCqEvents", "ackAsyncEvent", "ackCmEvent", "eventStr",
        "getDeviceName", "getDeviceList", "freeDeviceList", "qpToQpEx", "queryValues");

    private final Violations violations;
    private final Map<Thread, ModelCompletionQueue> running = new HashMap<>();

    Batches(final Violations violations) {
        this.violations = violations;
    }

    /** Whether a function that a method stands for is a command. */
    static boolean isCommand(final String method) {
        return !HARMLESS.contains(method);
    }

    void start(final ModelCompletionQueue queue) {
        running.putIfAbsent(Thread.currentThread(), queue);
    }

    void end(final ModelCompletionQueue queue) {
        running.values().removeIf(one -> one == queue);
    }

    /** Checks a poll that begins. */
    void checkPoll(final ModelCompletionQueue queue, final String call) {
        final ModelCompletionQueue within = running.get(Thread.currentThread());
        if (within != null && within != queue) {
            violations.add(call + " of completion queue " + queue.number + within(within));
        }
    }

    /** Checks a command that begins. */
    void checkCommand(final String call) {
        final ModelCompletionQueue within = running.get(Thread.currentThread());
        if (within != null) {
            violations.add(call + within(within));
        }
    }

    private static String within(final ModelCompletionQueue queue) {
        return " within a batch of completion queue " + queue.number + ", which this thread has not ended";
    }
}
