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

/**
 * The peers that a {@link Context} names: by a key that they hold, and by their addresses. Immutable; any thread.
 *
 * @param keyFile     file that holds the key, or null.
 * @param keyFileName name of the setting that names the file, for messages.
 * @param allowed     addresses of peers; empty allows all.
 */
record PeerTrust(Path keyFile, String keyFileName, List<AddressPrefix> allowed) {
    /** The greatest length of a key's file in bytes: a line end may stand behind the key. */
    private static final int MAX_FILE_LENGTH = PreSharedKey.MAX_LENGTH + 2;

    /** {@return the trust that system properties ask for} */
    static PeerTrust ofProperties() {
        final String file = System.getProperty(Configuration.PRE_SHARED_KEY_FILE_PROP);
        return new PeerTrust(file == null ? null : Configuration.path(Configuration.PRE_SHARED_KEY_FILE_PROP, file),
            Configuration.PRE_SHARED_KEY_FILE_PROP, propertyPrefixes());
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

    PeerTrust withKeyFile(final Path value) {
        return new PeerTrust(value, "preSharedKeyFile", allowed);
    }

    PeerTrust withAllowed(final String... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException(
                "allowedPeers is empty: name those that are allowed, 0.0.0.0/0 and ::/0 for all");
        }
        return new PeerTrust(keyFile, keyFileName, prefixes(values));
    }

    /** Read the key, wherever it is kept: in the file, else in the variable, which may be null. */
    PeerRules rules(final Environment environment, final String variable, final PeerQuotas quotas) {
        return new PeerRules(key(environment, variable), allowed, quotas);
    }

    private PreSharedKey key(final Environment environment, final String variable) {
        if (keyFile != null) {
            final String origin = keyFileName + "=" + keyFile;
            try {
                return PreSharedKey.of(origin, environment.files().readSecret(keyFile, MAX_FILE_LENGTH));
            } catch (final NoSuchFileException ex) {
                throw new IllegalArgumentException("cannot read the pre-shared key of " + origin
                    + ": no such file: path=" + keyFile + "; openssl rand -hex 32 makes a key", ex);
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
}
