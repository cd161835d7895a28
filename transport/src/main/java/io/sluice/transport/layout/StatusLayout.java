package io.sluice.transport.layout;

import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.agrona.concurrent.status.CountersReader;

/**
 * The names and the layout of what a transport shows to others of its user:
 * <pre>
 *   status/4711-0123456789abcdef/     in the shared folder: process id and a random number
 *       lock                          held by the process while the transport lives
 *       errors                        Agrona's distinct error log, as ErrorRecords has it
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
 * Names, lock, magic and version stay as they are in all versions: whoever meets a file of another one tells by them
 * whose it is, and removes it when that process has ended.
 */
public final class StatusLayout {
    /** Name of the folder of all transports, in the shared folder. */
    public static final String FOLDER = "status";
    /** Name of the file that the process holds locked while the transport lives. */
    public static final String LOCK = "lock";
    /** Name of the file of the header and the counters. */
    public static final String COUNTERS = "counters";
    /** Name of the file of distinct errors. */
    public static final String ERRORS = "errors";

    /** First word of a counters file. */
    public static final long MAGIC = 0x534c_5543_5354_4154L;
    /** Version of the header and of what follows it. */
    public static final int VERSION = 1;
    /**
     * Counters of a file: those of a thousand publications with a link each, and of a thousand subscriptions with an
     * image, a ring and a consumer each. They would take 26 MB, and do not: the file takes memory as they come.
     */
    public static final int CAPACITY = 40_960;
    /** Counters that there is memory for from the beginning, 1.3 MB. */
    public static final int FIRST_CAPACITY = 2048;
    /** Counters of a file at most: more is not a counters file of ours. */
    public static final int MAX_CAPACITY = 1 << 20;
    /** Bytes for about forty distinct errors with their stacks, and those that strangers cause. */
    public static final int ERRORS_LENGTH = 128 * 1024;
    /** Readers of this version read those of versions to come that record more, up to this. */
    public static final int MAX_ERRORS_LENGTH = 16 * ERRORS_LENGTH;

    /** Offset of the magic number, 8 bytes. */
    public static final int MAGIC_OFFSET = 0;
    /** Offset of the version, 4 bytes. */
    public static final int VERSION_OFFSET = 8;
    /** Offset of the room for counters, 4 bytes. */
    public static final int CAPACITY_OFFSET = 12;
    /** Offset of the process id, 8 bytes. */
    public static final int PROCESS_ID_OFFSET = 16;
    /** Offset of the time of the launch, 8 bytes. */
    public static final int STARTED_OFFSET = 24;
    /** Offset of the upper half of the transport's identity. */
    public static final int ID_HIGH_OFFSET = 32;
    /** Offset of the lower half of the transport's identity. */
    public static final int ID_LOW_OFFSET = 40;
    /** Offset of the time of the last refresh, 8 bytes. */
    public static final int REFRESHED_OFFSET = 48;
    /** Offset of the length of the client's name, 4 bytes. */
    public static final int NAME_LENGTH_OFFSET = 56;
    /** Offset of the bytes of the client's name. */
    public static final int NAME_OFFSET = 60;
    /** Bytes of the header. */
    public static final int HEADER_LENGTH = 1024;
    /** Bytes of the client's name at most. */
    public static final int MAX_NAME_LENGTH = HEADER_LENGTH - NAME_OFFSET;

    /** Offset of the group in a key, 8 bytes. */
    public static final int KEY_GROUP_OFFSET = 0;
    /** Offset of the stream id in a key, 4 bytes. */
    public static final int KEY_STREAM_ID_OFFSET = 8;
    /** Offset of the session id in a key, 4 bytes. */
    public static final int KEY_SESSION_ID_OFFSET = 12;
    /** Offset of the link id in a key, 8 bytes. */
    public static final int KEY_LINK_ID_OFFSET = 16;
    /** Offset of the upper half of the publisher's id in a key. */
    public static final int KEY_PUBLISHER_HIGH_OFFSET = 24;
    /** Offset of the lower half of the publisher's id in a key. */
    public static final int KEY_PUBLISHER_LOW_OFFSET = 32;
    /** Offset of the subscription id in a key, 8 bytes. */
    public static final int KEY_SUBSCRIPTION_ID_OFFSET = 40;

    /** Text before the peer's name in a label. */
    public static final String PEER_FIELD = " peer=";
    /** Text before the consumer's name in a label. */
    public static final String CONSUMER_FIELD = " consumer=";
    /** Text before the stage of the way that a latency is measured at: {@link #ARRIVED}, or {@link #HANDLED}. */
    public static final String STAGE_FIELD = " stage=";
    /** The stage of messages that have arrived. */
    public static final String ARRIVED = "arrived";
    /** The stage of messages that a consumer has handled. */
    public static final String HANDLED = "handled";
    /** Text before the channel, which ends a label. */
    public static final String CHANNEL_FIELD = " channel=";

    private static final Pattern TRANSPORT_FOLDER = Pattern.compile("[1-9][0-9]{0,9}-[0-9a-f]{16}");

    private StatusLayout() {
    }

    /**
     * Name of the folder of a transport.
     *
     * @param processId of its process.
     * @param nonce     a random number.
     * @return the name.
     */
    public static String folderName(final long processId, final long nonce) {
        return processId + "-" + HexFormat.of().toHexDigits(nonce);
    }

    /**
     * Whether a folder has the name of a transport's.
     *
     * @param path of a folder in {@link #FOLDER}.
     * @return false when it is something else.
     */
    public static boolean isTransportFolder(final Path path) {
        return TRANSPORT_FOLDER.matcher(path.getFileName().toString()).matches();
    }

    /**
     * The process whose transport has a folder.
     *
     * @param folder for which {@link #isTransportFolder} is true.
     * @return process id.
     */
    public static long processIdOf(final Path folder) {
        final String name = folder.getFileName().toString();
        return Long.parseLong(name.substring(0, name.indexOf('-')));
    }

    /**
     * Length of the counters' metadata, which follows the header.
     *
     * @param capacity room for counters.
     * @return bytes.
     */
    public static int metadataLength(final int capacity) {
        return capacity * CountersReader.METADATA_LENGTH;
    }

    /**
     * Length of the counters' values, which follow the metadata.
     *
     * @param capacity room for counters.
     * @return bytes.
     */
    public static int valuesLength(final int capacity) {
        return capacity * CountersReader.COUNTER_LENGTH;
    }

    /**
     * Offset of the metadata of a counter.
     *
     * @param id of the counter.
     * @return bytes from the beginning of the file.
     */
    public static int metadataOffset(final int id) {
        return HEADER_LENGTH + metadataLength(id);
    }

    /**
     * Offset of the value of a counter.
     *
     * @param id       of the counter.
     * @param capacity room for counters.
     * @return bytes from the beginning of the file.
     */
    public static int valueOffset(final int id, final int capacity) {
        return HEADER_LENGTH + metadataLength(capacity) + valuesLength(id);
    }

    /**
     * Length of a counters file.
     *
     * @param capacity room for counters.
     * @return bytes.
     */
    public static int countersLength(final int capacity) {
        return HEADER_LENGTH + metadataLength(capacity) + valuesLength(capacity);
    }
}
