package io.sluice.transport.agent;

import java.util.List;
import org.agrona.LangUtil;

/** Closes things one after the other, and stops for nothing that one of them throws. Stateless; any thread. */
public final class Closing {
    private Closing() {
    }

    /**
     * Closes all, in this order. Agrona's {@code CloseHelper} stops at an {@link Error}, as an application's handler
     * may throw.
     *
     * @param closeables to close; null stands for what was never made.
     * @throws RuntimeException the first thing that was thrown, an Error too, with the others as suppressed ones.
     */
    public static void all(final List<? extends AutoCloseable> closeables) {
        Throwable first = null;
        for (final AutoCloseable closeable : closeables) {
            try {
                if (closeable != null) {
                    closeable.close();
                }
            } catch (final Throwable ex) {
                if (first == null) {
                    first = ex;
                } else if (first != ex) {
                    first.addSuppressed(ex);
                }
            }
        }
        if (first != null) {
            LangUtil.rethrowUnchecked(first);
        }
    }
}
