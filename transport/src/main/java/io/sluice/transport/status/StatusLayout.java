package io.sluice.transport.status;

import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.agrona.concurrent.status.CountersReader;

/**
 * Names and layout of what a transport shows to others of its user:
 * <pre>
 *   status/4711-0123456789abcdef/     in the shared folder: process id and a random number
 *       lock                          held by the process while the transport lives
 *       errors                        Agrona's distinct error log, see {@link ErrorRecords}
 *       counters                      a header, then Agrona's counters: first metadata, then values
 *
 *   header:   0  magic        8   written last
 *             8  version      4 | counters, the room for them   4
 *            16  process id   8
 *            24  started      8   milliseconds since 1970
 *            32  transport's identity                          16
 *            48  last refresh 8   milliseconds since 1970
 *            56  length of the client's name 4 | its UTF-8 bytes
 * </pre>
 */
final class StatusLayout {
    static final String FOLDER = "status";
    static final String LOCK = "lock";
    static final String COUNTERS = "counters";
    static final String ERRORS = "errors";

    static final long MAGIC = 0x534c_5543_5354_4154L;
    static final int VERSION = 1;
    /** In 1.3 MB, see {@link StatusFiles#OWN_CAPACITY}; whoever finds no room goes without, which is reported. */
    static final int CAPACITY = 2048;
    /** More than that is not a counters file of ours. */
    static final int MAX_CAPACITY = 1 << 20;
    /** About forty distinct errors with their stacks, and {@link ErrorRecords#STRANGERS} that strangers cause. */
    static final int ERRORS_LENGTH = 128 * 1024;
    /** Readers of this version read those of versions to come that record more, up to this. */
    static final int MAX_ERRORS_LENGTH = 16 * ERRORS_LENGTH;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 8;
    static final int CAPACITY_OFFSET = 12;
    static final int PROCESS_ID_OFFSET = 16;
    static final int STARTED_OFFSET = 24;
    static final int ID_HIGH_OFFSET = 32;
    static final int ID_LOW_OFFSET = 40;
    static final int REFRESHED_OFFSET = 48;
    static final int NAME_LENGTH_OFFSET = 56;
    static final int NAME_OFFSET = 60;
    static final int HEADER_LENGTH = 1024;
    static final int MAX_NAME_LENGTH = HEADER_LENGTH - NAME_OFFSET;

    private static final Pattern TRANSPORT_FOLDER = Pattern.compile("[1-9][0-9]{0,9}-[0-9a-f]{16}");

    private StatusLayout() {
    }

    static String folderName(final long processId, final long nonce) {
        return processId + "-" + String.format(Locale.ROOT, "%016x", nonce);
    }

    static boolean isTransportFolder(final Path path) {
        return TRANSPORT_FOLDER.matcher(path.getFileName().toString()).matches();
    }

    static long processIdOf(final Path folder) {
        final String name = folder.getFileName().toString();
        return Long.parseLong(name.substring(0, name.indexOf('-')));
    }

    static int metadataLength(final int capacity) {
        return capacity * CountersReader.METADATA_LENGTH;
    }

    static int valuesLength(final int capacity) {
        return capacity * CountersReader.COUNTER_LENGTH;
    }

    static int countersLength(final int capacity) {
        return HEADER_LENGTH + metadataLength(capacity) + valuesLength(capacity);
    }
}
