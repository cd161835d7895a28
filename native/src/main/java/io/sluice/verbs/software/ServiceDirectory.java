package io.sluice.verbs.software;

import io.sluice.environment.Environment;
import io.sluice.environment.FileErrors;
import io.sluice.environment.MappedMemory;
import io.sluice.environment.SharedFiles;
import io.sluice.verbs.Errno;
import io.sluice.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;

/**
 * The register of listeners by their addresses: below {@code l/} of the fabric, a directory for each level of an
 * address (its name ends with {@code =}) and a small file for each listener, which says in which process folder its
 * socket lies. An entry has all its content from its first moment on: whoever finds the address connects there.
 * <pre>
 *      0  magic                8
 *      8  version          4 | socket number 4
 *     16  folder length    4 | folder name, ASCII, at most 27 bytes
 * </pre>
 */
final class ServiceDirectory {
    private static final int LENGTH = 4096;
    /**
     * The most attempts to make an entry: somebody may leave as the last one in the moment between two steps; more
     * often than this is somebody's bug.
     */
    private static final int MAX_ATTEMPTS = 100;
    private static final long MAGIC = 0x534c_5543_454c_5331L;
    private static final int VERSION = 1;
    private static final int VERSION_OFFSET = 8;
    private static final int SOCKET_OFFSET = 12;
    private static final int FOLDER_LENGTH_OFFSET = 16;
    private static final int FOLDER_OFFSET = 20;

    private final Environment environment;
    private final SharedFiles files;
    private final Path fabric;
    private final Path root;
    private final ServiceLevels levels = new ServiceLevels();

    ServiceDirectory(final Environment environment, final Path fabric) {
        this.environment = environment;
        this.fabric = fabric;
        files = environment.files();
        root = fabric.resolve(FabricNames.SERVICES);
    }

    /** Enter a listener; its socket must be ready. */
    void add(final String call, final String address, final String folder, final int socket) {
        final Path entry = ServiceNames.entry(root, call, address);
        try (FabricLock _ = FabricLock.acquire(environment, fabric, call)) {
            final Location holder = read(entry);
            if (holder != null && isAlive(holder)) {
                throw new VerbsException(call, Errno.EADDRINUSE, "address=" + address + " is in use by pid "
                    + FabricNames.processIdOf(holder.folder()));
            }
            create(entry, folder, socket);
        } catch (final IOException e) {
            throw SystemRefusal.of(call, Errno.EACCES, "cannot listen at address=" + address, e);
        }
    }

    /** Whether the entry of an address is there, and says what it said: somebody may have taken the address since. */
    boolean isThere(final String call, final String address, final String folder, final int socket) {
        try {
            return new Location(folder, socket).equals(read(entry(call, address)));
        } catch (final IOException e) {
            // out of descriptors, for example: looked for again
            return true;
        }
    }

    /** The path of the entry of an address. */
    Path entry(final String call, final String address) {
        return ServiceNames.entry(root, call, address);
    }

    /** Enter a listener again whose entry was removed; the fabric's lock is held. */
    void restore(final String call, final String address, final String folder, final int socket) throws IOException {
        final Path entry = ServiceNames.entry(root, call, address);
        final Location holder = read(entry);
        if (holder != null && !holder.folder().equals(folder) && isAlive(holder)) {
            throw new IOException("address=" + address + " was taken by pid "
                + FabricNames.processIdOf(holder.folder()) + " meanwhile");
        }
        create(entry, folder, socket);
    }

    /** Make an entry anew, again when a level that it is made in was just empty and somebody has removed it. */
    private void create(final Path entry, final String folder, final int socket) throws IOException {
        final byte[] content = contentOf(folder, socket);
        files.delete(entry);
        int attempts = 0;
        while (true) {
            attempts++;
            try {
                createLevels(entry.getParent());
                files.create(entry, content);
                return;
            } catch (final IOException e) {
                if (attempts == MAX_ATTEMPTS || !isOfMissing(e)) {
                    throw e;
                }
            }
        }
    }

    private static boolean isOfMissing(final Throwable failure) {
        return failure instanceof NoSuchFileException
            || failure.getCause() != null && isOfMissing(failure.getCause());
    }

    private void createLevels(final Path directory) throws IOException {
        if (!directory.equals(fabric)) {
            createLevels(directory.getParent());
            files.createDirectory(directory);
        }
    }

    private static byte[] contentOf(final String folder, final int socket) {
        final byte[] name = folder.getBytes(StandardCharsets.US_ASCII);
        final ByteBuffer content = ByteBuffer.allocate(LENGTH).order(ByteOrder.nativeOrder());
        content.putLong(MAGIC).putInt(VERSION).putInt(socket).putInt(name.length).put(name);
        return content.array();
    }

    /**
     * Remove a listener of this device, unless somebody else has the address by now, and the levels that nobody else
     * uses: not under the lock, which a stopped process may hold. Whoever is about to make an entry there makes them
     * anew.
     */
    void remove(final String call, final String address, final String folder, final int socket) {
        try {
            final Path entry = entry(call, address);
            final Location holder = read(entry);
            if (holder == null || holder.equals(new Location(folder, socket))) {
                files.delete(entry);
            }
            removeEmptyLevels(entry.getParent());
        } catch (final IOException e) {
            throw SystemRefusal.of(call, 0, "cannot remove the entry of address=" + address, e);
        }
    }

    /** Removes a level and those above it as far as they are empty. */
    private void removeEmptyLevels(final Path lowest) throws IOException {
        Path level = lowest;
        while (!level.equals(root) && files.deleteIfEmpty(level)) {
            level = level.getParent();
        }
    }

    /**
     * The place of a listener's socket.
     *
     * @return null when nobody listens there.
     */
    Location find(final String call, final String address) {
        try {
            return read(ServiceNames.entry(root, call, address));
        } catch (final IOException e) {
            throw SystemRefusal.of(call, Errno.EACCES, "cannot look up who listens at address=" + address, e);
        }
    }

    /** Whether a listener's process lives. */
    boolean isAlive(final Location location) {
        return files.isLocked(fabric.resolve(location.folder()).resolve(FabricNames.LOCK));
    }

    Path socket(final Location location) {
        return fabric.resolve(location.folder()).resolve(FabricNames.listenerSocket(location.socket()));
    }

    /**
     * Read an entry; null when there is none, or none to go by; whoever cannot look is told so and takes nothing for
     * dead.
     */
    private Location read(final Path entry) throws IOException {
        try (MappedMemory memory = files.view(entry, LENGTH)) {
            final long address = memory.address();
            if (memory.length() != LENGTH || UnsafeApi.getLong(address) != MAGIC
                || UnsafeApi.getInt(address + VERSION_OFFSET) != VERSION) {
                return null;
            }
            final int length = UnsafeApi.getInt(address + FOLDER_LENGTH_OFFSET);
            if (length < 1 || length > FabricNames.MAX_FOLDER_LENGTH) {
                return null;
            }
            final byte[] name = new byte[length];
            for (int i = 0; i < length; i++) {
                name[i] = UnsafeApi.getByte(address + FOLDER_OFFSET + i);
            }
            final String folder = new String(name, StandardCharsets.US_ASCII);
            final int socket = UnsafeApi.getInt(address + SOCKET_OFFSET);
            return FabricNames.isFolder(folder) ? new Location(folder, socket) : null;
        } catch (final IOException e) {
            if (FileErrors.isWant(e)) {
                throw e;
            }
            // No entry, or none of this user's: nobody listens there.
            return null;
        }
    }

    /** Addresses below a prefix; levels in between are searched too. The list is not to be changed. */
    List<String> list(final String call, final String service) {
        try {
            final ServiceLevel known = levels.find(service);
            final Path level = known == null ? ServiceNames.level(root, call, service) : known.directory();
            final List<Path> entries = files.list(level);
            if (known != null && known.entries() == entries) {
                return known.addresses();
            }
            final List<String> addresses = new ArrayList<>();
            if (addTo(addresses, entries, service.isEmpty() ? "" : service + "/", 0)) {
                levels.keep(service, new ServiceLevel(level, entries, addresses));
            }
            return addresses;
        } catch (final IOException e) {
            throw SystemRefusal.of(call, Errno.EACCES, "cannot list service=" + service, e);
        }
    }

    /** Adds the addresses of a level; {@return whether there is no level below it} */
    private boolean addTo(
        final List<String> addresses, final List<Path> entries, final String prefix, final int depth)
        throws IOException {
        boolean isLowest = true;
        for (final Path path : entries) {
            final String name = path.getFileName().toString();
            if (!ServiceNames.isLevel(name)) {
                addresses.add(prefix + ServiceNames.decode(name));
            } else {
                isLowest = false;
                if (depth < SoftwareLimits.MAX_SERVICE_ADDRESS_DEPTH) {
                    addTo(addresses, files.list(path), prefix + ServiceNames.decode(name) + "/", depth + 1);
                }
            }
        }
        return isLowest;
    }

    /** Remove the entries of dead processes, garbage and empty levels; the fabric's lock is held. */
    void removeDead() throws IOException {
        removeDead(root, 0);
    }

    private void removeDead(final Path level, final int depth) throws IOException {
        for (final Path path : files.list(level)) {
            if (!ServiceNames.isLevel(path.getFileName().toString())) {
                removeIfDead(path);
            } else if (depth < SoftwareLimits.MAX_SERVICE_ADDRESS_DEPTH) {
                removeDead(path, depth + 1);
                files.deleteIfEmpty(path);
            }
        }
    }

    private void removeIfDead(final Path entry) throws IOException {
        final Location location = read(entry);
        if (location == null || !isAlive(location)) {
            files.delete(entry);
        }
    }

    /** Remove the entry of an address whose process has died, unless somebody is at it. */
    void removeIfDead(final String call, final String address) {
        try (FabricLock held = FabricLock.tryAcquire(environment, fabric)) {
            if (held != null) {
                removeIfDead(ServiceNames.entry(root, call, address));
            }
        } catch (final IOException e) {
            // It stays until the next device is opened; connecting to it fails meanwhile.
            return;
        }
    }

    /**
     * The place of a listener's socket.
     *
     * @param folder name of its process folder.
     * @param socket number of its socket.
     */
    record Location(String folder, int socket) {
    }
}
