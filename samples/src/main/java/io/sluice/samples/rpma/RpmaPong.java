package io.sluice.samples.rpma;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Sends every message back as it came, to one ping after the other. One thread runs it.
 */
public final class RpmaPong {
    private static final long ACCEPT_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Looking at the connection costs more than an idle turn: done once in so many. */
    private static final int IDLE_TURNS_PER_CHECK = 1024;

    private final RpmaListener listener;
    private final Consumer<String> news;
    private final Consumer<String> errors;

    /**
     * One that answers nobody yet.
     *
     * @param listener where pings come to.
     * @param news     told on its thread who came and went, a line each.
     * @param errors   told on its thread whose connection has failed and why, a line each.
     */
    public RpmaPong(final RpmaListener listener, final Consumer<String> news, final Consumer<String> errors) {
        this.listener = listener;
        this.news = news;
        this.errors = errors;
    }

    /**
     * Answer. A ping whose connection fails is given up, and the next one waited for.
     *
     * @param isStopped ends this.
     */
    public void run(final BooleanSupplier isStopped) {
        while (!isStopped.getAsBoolean()) {
            try (RpmaLink link = listener.accept(ACCEPT_WAIT_NS)) {
                if (link != null) {
                    news.accept("ping connected");
                    answer(link, isStopped);
                    news.accept("ping finished");
                }
            } catch (final RpmaLinkFailure e) {
                errors.accept("ping lost: " + e.getMessage());
            }
        }
    }

    private static void answer(final RpmaLink link, final BooleanSupplier isStopped) {
        final MessageTaker echo = link::offer;
        int idleTurns = 0;
        while (!isStopped.getAsBoolean()) {
            if (link.poll(echo) == 0) {
                link.idle();
                if (++idleTurns % IDLE_TURNS_PER_CHECK == 0 && !link.isConnected()) {
                    return;
                }
            }
        }
    }
}
