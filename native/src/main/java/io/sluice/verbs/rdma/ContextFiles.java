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
    private static final String DEVICES = "/dev/infiniband/";
    /** The kernel's addition to the name of a file that is not there any more. */
    private static final String DELETED = " (deleted)";
    private static final String EVENTS = "anon_inode:[infinibandevent]";

    /** Files of an {@code ibv_context} that is open. */
    static ContextFiles of(final long context) {
        return new ContextFiles(UnsafeApi.getInt(context + ibv_context.cmd_fd$offset()),
            UnsafeApi.getInt(context + ibv_context.async_fd$offset()));
    }

    /** Name of the device's file, whether it is there still or not; empty when the context is closed. */
    String device() {
        final String file = file(commands);
        return file.startsWith(DEVICES) ? file : "";
    }

    /**
     * Let the device go, and leave the numbers to who holds them. Nothing is done to a number that is another file's by
     * now.
     *
     * @param device name of its file.
     */
    void letGo(final String device) {
        if (!device.isEmpty() && device.equals(device())) {
            SystemCalls.empty(commands);
            if (file(events).equals(EVENTS)) {
                SystemCalls.empty(events);
            }
        }
    }

    private static String file(final int descriptor) {
        try {
            final String file = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
            return file.endsWith(DELETED) ? file.substring(0, file.length() - DELETED.length()) : file;
        } catch (final IOException e) {
            // closed meanwhile
            return "";
        }
    }
}
