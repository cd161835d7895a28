package io.sluice.verbs.software;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The names of everything in the fabric's directory. Names that come from peers are matched here before they become
 * paths.
 * <pre>
 *   lock                          held while a process folder or a service is added or removed
 *   turns                         how often somebody got that lock, 8 bytes
 *   l/ipc/prices/7                services, see ServiceDirectory
 *   status/                       not the device's: what transports show of themselves
 *   4711-0123456789abcdef/        a process: its id and a random number
 *       lock                      held by the process while it lives
 *       r0badcafe.h  r0badcafe.d  a region's header and its data
 *       q00002a                   a queue pair
 *       c000001                   a completion queue
 *       x000001                   a shared receive queue
 *       e000001                   the socket of a completion channel
 *       s000001                   the socket of a listener
 * </pre>
 */
final class FabricNames {
    static final String LOCK = "lock";
    static final String TURNS = "turns";
    static final String SERVICES = "l";
    /** Process id of at most 10 digits, dash, 16 hex digits. */
    static final int MAX_FOLDER_LENGTH = 27;
    /** Separator, folder, separator, letter and 6 hex digits. */
    static final int MAX_SOCKET_SUFFIX_LENGTH = 1 + MAX_FOLDER_LENGTH + 1 + 7;

    private static final Pattern FOLDER = Pattern.compile("[1-9][0-9]{0,9}-[0-9a-f]{16}");

    private FabricNames() {
    }

    static String folder(final long processId, final long nonce) {
        return processId + "-" + String.format(Locale.ROOT, "%016x", nonce);
    }

    static boolean isFolder(final String name) {
        return FOLDER.matcher(name).matches();
    }

    static String processIdOf(final String folder) {
        return folder.substring(0, folder.indexOf('-'));
    }

    static String regionHeader(final int key) {
        return String.format(Locale.ROOT, "r%08x.h", key);
    }

    static String regionData(final int key) {
        return String.format(Locale.ROOT, "r%08x.d", key);
    }

    static String queuePair(final int number) {
        return String.format(Locale.ROOT, "q%06x", number);
    }

    static String completionQueue(final int number) {
        return String.format(Locale.ROOT, "c%06x", number);
    }

    static String sharedReceiveQueue(final int number) {
        return String.format(Locale.ROOT, "x%06x", number);
    }

    static String channelSocket(final int number) {
        return String.format(Locale.ROOT, "e%06x", number);
    }

    static String listenerSocket(final int number) {
        return String.format(Locale.ROOT, "s%06x", number);
    }

    static int byteLength(final Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length;
    }
}
