package io.sluice.verbs.software;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
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

    private static final int NUMBER_DIGITS = 6;
    private static final HexFormat HEX = HexFormat.of();
    private static final Pattern FOLDER = Pattern.compile("[1-9][0-9]{0,9}-[0-9a-f]{16}");

    private FabricNames() {
    }

    static String folder(final long processId, final long nonce) {
        return processId + "-" + HEX.toHexDigits(nonce);
    }

    static boolean isFolder(final String name) {
        return FOLDER.matcher(name).matches();
    }

    static String processIdOf(final String folder) {
        return folder.substring(0, folder.indexOf('-'));
    }

    static String regionHeader(final int key) {
        return "r" + HEX.toHexDigits(key) + ".h";
    }

    static String regionData(final int key) {
        return "r" + HEX.toHexDigits(key) + ".d";
    }

    static String queuePair(final int number) {
        return "q" + digits(number);
    }

    static String completionQueue(final int number) {
        return "c" + digits(number);
    }

    static String sharedReceiveQueue(final int number) {
        return "x" + digits(number);
    }

    static String channelSocket(final int number) {
        return "e" + digits(number);
    }

    static String listenerSocket(final int number) {
        return "s" + digits(number);
    }

    /** At least six digits. A formatter's patterns take as long as the file itself. */
    private static String digits(final int number) {
        final String digits = Integer.toHexString(number);
        return "0".repeat(Math.max(0, NUMBER_DIGITS - digits.length())) + digits;
    }

    static int byteLength(final Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length;
    }
}
