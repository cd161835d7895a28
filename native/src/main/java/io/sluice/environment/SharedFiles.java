package io.sluice.environment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Files that processes of one user share through memory. Any thread may call. Everything created is private to the
 * user (directories 0700, files 0600); everything opened is checked to be owned by the user and not a symbolic link.
 */
public interface SharedFiles {
    /**
     * The directory where files that are shared through memory live best: in memory, where the system has a place for
     * that.
     *
     * @return an existing directory that belongs to everybody; make an own one in it.
     */
    Path sharedDirectory();

    /**
     * Create a directory (and its parents) private to this user, or check that an existing one is.
     *
     * @param directory to create.
     * @throws IOException when it cannot be created, belongs to somebody else, or others may write to it; the message
     *                     names the path and what to do.
     */
    void createDirectory(Path directory) throws IOException;

    /**
     * The names of the entries of a directory.
     *
     * @param directory to list.
     * @return its entries; empty when it does not exist.
     * @throws IOException when it cannot be read.
     */
    List<Path> list(Path directory) throws IOException;

    /**
     * The name of this user, for names of files: no two users of a machine have the same.
     *
     * @return the user's name, or its number where it has none.
     * @throws IOException when neither can be learned; the message says what to do.
     */
    String userName() throws IOException;

    /**
     * Take an exclusive lock that is dropped when this process dies, creating the file when absent. Nothing else in the
     * process undoes it, another class loader or a library that opens and closes the file included.
     *
     * @param file to lock, which is the lock's alone: its first 256 bytes are overwritten with the name of its owner.
     * @return the held lock, released by closing it, or null when somebody else (this process included) holds it.
     * @throws IOException when the file cannot be opened.
     */
    AutoCloseable tryLock(Path file) throws IOException;

    /**
     * Whether a living process (this one included) holds the lock of a file.
     *
     * @param file that its owner locks with {@link #tryLock(Path)}.
     * @return true while its lock is held; false when it is free, its owner is known to be dead, or the file is gone.
     */
    boolean isLocked(Path file);

    /**
     * Keep an eye on the lock of a file, also when it loses its name. It takes a file descriptor.
     *
     * @param file      that its owner locks with {@link #tryLock(Path)}.
     * @param processId of the owner, which has to do while the file is not there, or has had no owner yet.
     * @return the watch, owned by the caller.
     */
    LockWatch watch(Path file, long processId);

    /**
     * Whether something has a name; a system call, which does not block on a file system in memory.
     *
     * @param path to look for; symbolic links are not followed.
     * @return false when nothing is there; what cannot be looked at counts as there.
     */
    boolean exists(Path path);

    /**
     * Delete a directory with all that is in it, unless a living process holds the lock of a file in it: that lock is
     * taken first, and held until the directory is gone. When the file is gone, its owner's process id has to do.
     *
     * @param directory to delete.
     * @param lockFile  in the directory, which its owner locks with {@link #tryLock(Path)}.
     * @param processId of the owner, as the directory's name says.
     * @return false when its owner lives, and nothing was deleted.
     * @throws IOException when something could not be deleted, or the directory is not this user's.
     */
    boolean deleteIfUnlocked(Path directory, Path lockFile, long processId) throws IOException;

    /**
     * Create a file of zeros, written in full so that a full disk is an error here and not a crash later, and map it,
     * every page touched. It appears under its name only when it is complete.
     *
     * @param file   to create; must not exist.
     * @param length in bytes, greater than zero.
     * @return the mapping, writable, owned by the caller; closing it does not delete the file.
     * @throws IOException when it exists, or there is no room: the message names the path, the bytes needed and the
     *                     bytes free.
     */
    MappedMemory create(Path file, long length) throws IOException;

    /**
     * Create a small file with its content. It appears under its name only when all of that is in it.
     *
     * @param file    to create; must not exist.
     * @param content of the file, at least one byte.
     * @throws IOException when it exists, or there is no room: the message names the path, the bytes needed and the
     *                     bytes free.
     */
    void create(Path file, byte[] content) throws IOException;

    /**
     * Create a file that takes memory only where it is filled, and map it untouched: for those whose length is the most
     * that may ever be needed. To touch what was not filled may crash the JVM when there is no room.
     *
     * @param file   to create; must not exist.
     * @param length in bytes, greater than zero.
     * @return the mapping, writable, owned by the caller; closing it does not delete the file.
     * @throws IOException when it exists or cannot be made.
     */
    MappedMemory createSparse(Path file, long length) throws IOException;

    /**
     * Fill a part of a file with zeros, so that there is memory for it: a full disk is an error here, and not a crash
     * later.
     *
     * @param file   made by {@link #createSparse}.
     * @param offset of the part.
     * @param length in bytes; the part ends within the file.
     * @throws IOException when there is no room, or no such file: the message names the path, the bytes needed and the
     *                     bytes free.
     */
    void fill(Path file, long offset, long length) throws IOException;

    /**
     * Map an existing file whole, every page touched unless it is longer than 1 GiB.
     *
     * @param file      to map.
     * @param writable  false maps it read-only.
     * @param maxLength the most bytes that a rightful file of its kind has: a sparse file may say any length, and what
     *                  is touched takes memory.
     * @return the mapping, owned by the caller.
     * @throws IOException when it does not exist, belongs to another user, is a symbolic link, others may read or write
     *                     it, or it is empty or longer; the message names the path and what to do.
     */
    MappedMemory open(Path file, boolean writable, long maxLength) throws IOException;

    /**
     * Map an existing file whole, read-only and untouched: for those that look at a few pages of what others write.
     *
     * @param file      to map.
     * @param maxLength the most bytes that a rightful file of its kind has.
     * @return the mapping, owned by the caller.
     * @throws IOException as of {@link #open}.
     */
    MappedMemory view(Path file, long maxLength) throws IOException;

    /**
     * Read a small file that holds a secret.
     *
     * @param file      to read, wherever it lies where nobody else but root can put another one.
     * @param maxLength in bytes.
     * @return all of it; the caller wipes it.
     * @throws IOException when it does not exist, belongs to another user, is a symbolic link, others may read or write
     *                     it or replace it in its directory, or it is longer; the message names path and remedy.
     */
    byte[] readSecret(Path file, int maxLength) throws IOException;

    /**
     * Delete a file, or a directory with all that is in it. What does not exist is no error; symbolic links are removed
     * and never followed.
     *
     * @param path to delete.
     * @throws IOException when something could not be deleted; everything else has been.
     */
    void delete(Path path) throws IOException;

    /**
     * Delete a directory unless something is in it, hidden files included: whoever is making a file there may be told
     * that the directory is gone.
     *
     * @param directory to delete.
     * @return false when something is in it; true also when it did not exist.
     * @throws IOException when it is not this user's directory, or cannot be deleted for another reason.
     */
    boolean deleteIfEmpty(Path directory) throws IOException;
}
