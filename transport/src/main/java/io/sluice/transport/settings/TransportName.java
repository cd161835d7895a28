package io.sluice.transport.settings;

import java.util.function.Supplier;

/**
 * The names of a transport, for people. Immutable; any thread.
 *
 * @param clientName that its context has.
 * @param folder     tells the folder of its counters in the shared folder, which is another one when somebody has
 *                   removed that.
 */
public record TransportName(String clientName, Supplier<String> folder) {
}
