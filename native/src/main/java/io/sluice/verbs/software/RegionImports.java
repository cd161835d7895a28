package io.sluice.verbs.software;

import io.sluice.environment.MappedMemory;
import io.sluice.environment.SharedFiles;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The regions of the peer that one queue pair has used. A hit is a comparison or a short search; a miss is set-up work
 * that maps files. Used by the one thread that carries out the queue pair's operations.
 */
final class RegionImports {
    private final SharedFiles files;
    private final Path fabric;
    private final Path peerFolder;
    private final int peerDomain;
    private final RegionImport[] imports = new RegionImport[SoftwareLimits.MAX_IMPORTS_PER_QUEUE_PAIR];
    private int size;
    private RegionImport lastHit;

    RegionImports(final SharedFiles files, final Path fabric, final String peerFolder, final int peerDomain) {
        this.files = files;
        this.fabric = fabric;
        this.peerFolder = fabric.resolve(peerFolder);
        this.peerDomain = peerDomain;
    }

    /**
     * The import of a key.
     *
     * @param key rkey.
     * @return the import, whose validity the caller checks, or null when the peer has no such region.
     */
    RegionImport find(final int key) {
        final RegionImport last = lastHit;
        if (last != null && last.key == key) {
            return last;
        }
        for (int i = 0; i < size; i++) {
            if (imports[i].key == key) {
                lastHit = imports[i];
                return imports[i];
            }
        }
        return open(key);
    }

    private RegionImport open(final int key) {
        MappedMemory header = null;
        RegionImport opened = null;
        try {
            header = files.open(peerFolder.resolve(FabricNames.regionHeader(key)), false, RegionLayout.LENGTH);
            if (header.length() == RegionLayout.LENGTH) {
                final RegionDescription region = RegionLayout.read(header.address(), key);
                if (region != null && RegionLayout.domain(header.address()) == peerDomain) {
                    opened = new RegionImport(region, header);
                }
            }
        } catch (final IOException e) {
            // No such region, or none of this user's: the caller completes with the status for that.
            return null;
        } finally {
            if (opened == null && header != null) {
                header.close();
            }
        }
        if (opened != null) {
            add(opened);
        }
        return opened;
    }

    private void add(final RegionImport opened) {
        dropInvalid();
        if (size == imports.length) {
            imports[0].close();
            System.arraycopy(imports, 1, imports, 0, --size);
        }
        imports[size++] = opened;
        lastHit = opened;
    }

    private void dropInvalid() {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (imports[i].isValid()) {
                imports[kept++] = imports[i];
            } else {
                imports[i].close();
            }
        }
        while (size > kept) {
            imports[--size] = null;
        }
        lastHit = null;
    }

    /**
     * Map the data of an import for copying.
     *
     * @return false when it cannot be mapped.
     */
    boolean map(final RegionImport target) {
        final RegionDescription region = target.region();
        MappedMemory data = null;
        try {
            data = files.open(
                fabric.resolve(region.dataFolder()).resolve(FabricNames.regionData(region.dataKey())), true,
                region.length());
            if (data.length() < region.length()) {
                data.close();
                return false;
            }
            target.map(data);
            return true;
        } catch (final IOException e) {
            // Gone meanwhile: the caller completes with the status for that.
            return false;
        }
    }

    /** Unmap everything; only when nobody can be using it. */
    void close() {
        while (size > 0) {
            imports[--size].close();
            imports[size] = null;
        }
        lastHit = null;
    }

    /** Mappings held. */
    int mappings() {
        int count = 0;
        for (int i = 0; i < size; i++) {
            count += imports[i].mappings();
        }
        return count;
    }
}
