package io.sluice.transport;

import io.sluice.transport.status.ErrorKind;
import io.sluice.transport.status.TransportException;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;
import org.agrona.LangUtil;
import org.agrona.concurrent.IdleStrategy;

/**
 * An idle strategy of the application's making, until it throws: then that by name takes its place for good, so that
 * the agent lives on and the application is told once. The agent's thread.
 */
final class OwnIdleStrategy implements IdleStrategy {
    private final String roleName;
    private final Supplier<IdleStrategy> otherwise;
    private final ErrorHandler errorHandler;
    private IdleStrategy current;
    private boolean isReplaced;

    OwnIdleStrategy(
        final IdleStrategy own, final String roleName, final Supplier<IdleStrategy> otherwise,
        final ErrorHandler errorHandler) {
        current = own;
        this.roleName = roleName;
        this.otherwise = otherwise;
        this.errorHandler = errorHandler;
    }

    @Override
    public void idle(final int workCount) {
        try {
            current.idle(workCount);
        } catch (final Throwable ex) {
            replace(ex);
        }
    }

    @Override
    public void idle() {
        try {
            current.idle();
        } catch (final Throwable ex) {
            replace(ex);
        }
    }

    @Override
    public void reset() {
        try {
            current.reset();
        } catch (final Throwable ex) {
            replace(ex);
        }
    }

    /** The name that the strategy says it has, or else that of its class; before the agent runs. */
    @Override
    public String alias() {
        final String alias = current.alias();
        return alias == null || alias.isEmpty() ? current.getClass().getName() : alias;
    }

    private void replace(final Throwable thrown) {
        if (isReplaced) {
            LangUtil.rethrowUnchecked(thrown);
        }
        final String name = current.getClass().getName();
        isReplaced = true;
        current = otherwise.get();
        if (thrown instanceof InterruptedException) {
            // whoever interrupts the thread wants the agent to end
            Thread.currentThread().interrupt();
        }
        errorHandler.onError(new TransportException(ErrorKind.DEGRADED,
            "the program's idle strategy has thrown, and that by name takes its place: thread=" + roleName
                + " strategy=" + name + " thrown=" + thrown, thrown));
    }
}
