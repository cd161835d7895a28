package io.sluice.samples;

import io.sluice.transport.status.ErrorReading;
import io.sluice.transport.status.TransportStatus;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code sluice errors}: the distinct errors of all transports of a folder, of those that died too.
 */
@Command(
    name = "errors",
    description = "Shows the distinct errors that the transports on this host have met, and how often.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    sortOptions = false)
final class ErrorsCommand implements Callable<Integer> {
    @Mixin
    private StatusFolder folder;

    @Mixin
    private JsonOption json;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() {
        final StatusSnapshot snapshot = folder.read();
        new Output(command.commandLine().getOut()).print(json.isJson() ? json(snapshot) : text(snapshot));
        return ExitCode.OK;
    }

    static String text(final StatusSnapshot snapshot) {
        final StringBuilder text = new StringBuilder();
        int count = 0;
        for (final TransportStatus status : snapshot.transports()) {
            for (final ErrorReading error : status.errors()) {
                count++;
                text.append(String.format(Locale.ROOT, "%s: %d times, first %s, last %s%n%s%n%n",
                    snapshot.describe(status), error.count(), Instant.ofEpochMilli(error.firstEpochMs()),
                    Instant.ofEpochMilli(error.lastEpochMs()), error.text().strip().indent(4).stripTrailing()));
            }
        }
        snapshot.skipped().forEach(line -> text.append(String.format(Locale.ROOT, "unreadable: %s%n", line)));
        text.append(String.format(Locale.ROOT, "%d distinct errors of %d transports in %s%n", count,
            snapshot.transports().size(), snapshot.directory()));
        return text.toString();
    }

    static String json(final StatusSnapshot snapshot) {
        final Json json = StatusJson.begin(snapshot).beginArray("transports");
        for (final TransportStatus status : snapshot.transports()) {
            StatusJson.begin(json, status).beginArray("errors");
            for (final ErrorReading error : status.errors()) {
                json.beginObject().field("count", error.count()).field("firstEpochMs", error.firstEpochMs())
                    .field("lastEpochMs", error.lastEpochMs()).field("text", error.text()).endObject();
            }
            json.endArray().endObject();
        }
        return StatusJson.end(json, snapshot);
    }
}
