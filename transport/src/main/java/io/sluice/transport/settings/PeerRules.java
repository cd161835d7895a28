package io.sluice.transport.settings;

import io.sluice.verbs.AddressPrefix;
import java.util.List;

/**
 * The peers that a transport takes, and how much of it each of them may take.
 *
 * @param key     that peers must hold, or null when none is asked for.
 * @param allowed addresses of peers; empty allows all.
 * @param quotas  of each peer.
 */
public record PeerRules(PreSharedKey key, List<AddressPrefix> allowed, PeerQuotas quotas) {
    /** Rules by which every peer is taken, and may take everything. */
    public static final PeerRules EVERYBODY = new PeerRules(null, List.of(), PeerQuotas.NONE);

    /** {@return whether a peer must prove that it holds the key} */
    public boolean asksForKey() {
        return key != null;
    }

    /**
     * {@return whether a peer may have this address} With a list a peer without an address is not on it.
     *
     * @param address of a host, 4 or 16 bytes.
     */
    public boolean allows(final byte[] address) {
        return allowed.isEmpty() || allowed.stream().anyMatch(prefix -> prefix.contains(address));
    }
}
