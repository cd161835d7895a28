package io.sluice.verbs.rdma;

import io.sluice.verbs.foreign.SystemCalls;
import io.sluice.verbs.rdma.generated.ibv_context;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.UnsafeApi;

/**
 * Descriptors that keep a device open: those of a context that another library has opened for itself, and does not
 * close when the device is to go.
 *
 * @param commands of the device's file.
 * @param events   of the asynchronous events.
 */
record ContextFiles(int commands, int events) {
    /** Of an {@code ibv_context} that is open. */
    static ContextFiles of(final long context) {
        return new ContextFiles(UnsafeApi.getInt(context + ibv_context.cmd_fd$offset()),
            UnsafeApi.getInt(context + ibv_context.async_fd$offset()));
    }

    /**
     * Let the device go, and leave the numbers to who holds them. Nothing is done to a number that is another file's by
     * now.
     *
     * @param context an {@code ibv_context} of the same device that is open still.
     */
    void letGo(final long context) {
        final ContextFiles alike = of(context);
        letGo(commands, alike.commands);
        letGo(events, alike.events);
    }

    private static void letGo(final int descriptor, final int alike) {
        final String file = file(descriptor);
        if (descriptor != alike && !file.isEmpty() && file.equals(file(alike))) {
            SystemCalls.empty(descriptor);
        }
    }

    private static String file(final int descriptor) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
        } catch (final IOException e) {
            // closed meanwhile
            return "";
        }
    }
}
