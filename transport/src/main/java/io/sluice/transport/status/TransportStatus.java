package io.sluice.transport.status;

import java.nio.file.Path;
import java.util.List;

/**
 * The status of a transport, as it was read at one moment.
 *
 * @param folder           that was read.
 * @param isAlive          whether the transport's process lives and has it open.
 * @param processId        of its process.
 * @param clientName       its name for people, without control characters; may be empty.
 * @param startedEpochMs   when it was launched, in milliseconds since 1970.
 * @param refreshedEpochMs when the counters were brought up to date last; 0 when never.
 * @param idHigh           upper half of its identity.
 * @param idLow            lower half.
 * @param counters         in the order of their ids; those of one group need not be neighbours.
 * @param errors           distinct errors, in the order of their first occurrence.
 */
public record TransportStatus(
    Path folder,
    boolean isAlive,
    long processId,
    String clientName,
    long startedEpochMs,
    long refreshedEpochMs,
    long idHigh,
    long idLow,
    List<CounterReading> counters,
    List<ErrorReading> errors) {
}
