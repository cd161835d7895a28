package io.sluice.transport;

import io.sluice.environment.Environment;
import io.sluice.transport.settings.PeerQuotas;
import io.sluice.transport.settings.PeerRules;
import io.sluice.transport.settings.PreSharedKey;
import io.sluice.verbs.AddressPrefix;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Whom a {@link Context}'s transport takes for a peer. One thread at a time, before the context is concluded.
 */
abstract sealed class ContextPeers permits ContextQuotas {
    /** A line end may stand behind the key. */
    private static final int MAX_FILE_LENGTH = PreSharedKey.MAX_LENGTH + 2;

    private Path preSharedKeyFile = propertyPath(Configuration.PRE_SHARED_KEY_FILE_PROP);
    private List<AddressPrefix> allowed = propertyPrefixes();
    /** Name of the setting that names the file, for messages. */
    private String preSharedKeyFileName = Configuration.PRE_SHARED_KEY_FILE_PROP;
    private PeerRules peerRules;

    abstract Context self();

    abstract void checkNotConcluded();

    abstract PeerQuotas quotas();

    private static Path propertyPath(final String name) {
        final String value = System.getProperty(name);
        return value == null ? null : Configuration.path(name, value);
    }

    private static List<AddressPrefix> propertyPrefixes() {
        final String value = System.getProperty(Configuration.ALLOWED_PEERS_PROP);
        try {
            return value == null ? List.of() : prefixes(value.split(",", -1));
        } catch (final IllegalArgumentException ex) {
            throw new IllegalArgumentException(
                Configuration.ALLOWED_PEERS_PROP + "=" + value + ": " + ex.getMessage(), ex);
        }
    }

    private static List<AddressPrefix> prefixes(final String... texts) {
        final List<AddressPrefix> prefixes = new ArrayList<>();
        for (final String text : texts) {
            prefixes.add(AddressPrefix.parse(text.strip()));
        }
        return List.copyOf(prefixes);
    }

    /**
     * Set the file that holds the key which peers must hold, too; there is none by default. It is read when the context
     * is concluded. It holds {@value PreSharedKey#MIN_LENGTH} to {@value PreSharedKey#MAX_LENGTH} bytes and may end
     * with a line end, belongs to this user, and nobody else may read it. Without a file the environment variable
     * {@value Configuration#PRE_SHARED_KEY_VARIABLE} may hold the key itself.
     * @param value to use.
     * @return this.
     */
    public Context preSharedKeyFile(final Path value) {
        checkNotConcluded();
        preSharedKeyFile = Objects.requireNonNull(value, "preSharedKeyFile");
        preSharedKeyFileName = "preSharedKeyFile";
        return self();
    }

    /** {@return the file that holds the key which peers must hold, too; null when none was named} */
    public Path preSharedKeyFile() {
        return preSharedKeyFile;
    }

    /**
     * Set the addresses of peers over {@code sluice:rdma}, those that connect and those that are connected to; by
     * default all are allowed. Peers over {@code sluice:ipc} have no address: the list does not concern them.
     * @param values literal addresses and prefixes, for example {@code 10.0.0.0/24}; at least one.
     * @return this.
     * @throws IllegalArgumentException when one is malformed, or there is none: a list that came out empty by mistake
     *                                  would allow all.
     */
    public Context allowedPeers(final String... values) {
        checkNotConcluded();
        if (values.length == 0) {
            throw new IllegalArgumentException(
                "allowedPeers is empty: name those that are allowed, 0.0.0.0/0 and ::/0 for all");
        }
        allowed = prefixes(values);
        return self();
    }

    /** Read the key, wherever it is kept. */
    void concludePeerRules(final Environment environment, final String variable) {
        peerRules = new PeerRules(key(environment, variable), allowed, quotas());
    }

    private PreSharedKey key(final Environment environment, final String variable) {
        if (preSharedKeyFile != null) {
            final String origin = preSharedKeyFileName + "=" + preSharedKeyFile;
            try {
                return PreSharedKey.of(origin,
                    environment.files().readSecret(preSharedKeyFile, MAX_FILE_LENGTH));
            } catch (final NoSuchFileException ex) {
                throw new IllegalArgumentException("cannot read the pre-shared key of " + origin
                    + ": no such file: path=" + preSharedKeyFile + "; openssl rand -hex 32 makes a key", ex);
            } catch (final FileSystemException ex) {
                throw new IllegalArgumentException("cannot read the pre-shared key of " + origin + ": " + ex, ex);
            } catch (final IOException ex) {
                throw new IllegalArgumentException(
                    "cannot read the pre-shared key of " + origin + ": " + ex.getMessage(), ex);
            }
        }
        return variable == null ? null : PreSharedKey.of(
            "environment variable " + Configuration.PRE_SHARED_KEY_VARIABLE, variable.getBytes(StandardCharsets.UTF_8));
    }

    PeerRules peerRules() {
        return peerRules;
    }
}
