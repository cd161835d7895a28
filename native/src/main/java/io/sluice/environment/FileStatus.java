package io.sluice.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;

/**
 * The status of a path by lstat(2): of the path itself, never of what a symbolic link points to.
 *
 * @param device     st_dev of stat(2).
 * @param inode      st_ino: with the device the same when two paths are one file.
 * @param uid        owner.
 * @param mode       type and permission bits, as in stat(2).
 * @param size       bytes.
 * @param modifiedMs time of day of the last change of its content, a directory's entries, in milliseconds.
 */
record FileStatus(long device, long inode, int uid, int mode, long size, long modifiedMs) {
    private static final int TYPE_MASK = 0xF000;
    private static final int TYPE_SOCKET = 0xC000;
    private static final int TYPE_LINK = 0xA000;
    private static final int TYPE_REGULAR = 0x8000;
    private static final int TYPE_DIRECTORY = 0x4000;
    private static final int STICKY = 01000;
    private static final int WRITABLE_BY_OTHERS = 022;
    private static final int OPEN_TO_OTHERS = 077;
    private static final int ROOT = 0;

    /** The status of a path, or null when nothing is there. */
    static FileStatus find(final Path path) throws IOException {
        final long[] found = new long[StatusCall.VALUES];
        switch (StatusCall.read(path, found)) {
            case StatusCall.FOUND:
                return new FileStatus(found[StatusCall.DEVICE], found[StatusCall.INODE], (int) found[StatusCall.UID],
                    (int) found[StatusCall.MODE], found[StatusCall.SIZE], found[StatusCall.MODIFIED_MS]);
            case StatusCall.MISSING:
                return null;
            default:
                return findByAttributes(path);
        }
    }

    /** The status by the JDK, which throws what keeps it from being known. */
    private static FileStatus findByAttributes(final Path path) throws IOException {
        try {
            return ofAttributes(path);
        } catch (final NoSuchFileException e) {
            return null;
        }
    }

    static FileStatus of(final Path path) throws IOException {
        final FileStatus found = find(path);
        if (found == null) {
            throw new NoSuchFileException(path.toString());
        }
        return found;
    }

    private static FileStatus ofAttributes(final Path path) throws IOException {
        final Map<String, Object> values =
            Files.readAttributes(path, "unix:dev,ino,uid,mode,size,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
        return new FileStatus(
            (Long) values.get("dev"),
            (Long) values.get("ino"),
            (Integer) values.get("uid"),
            (Integer) values.get("mode"),
            (Long) values.get("size"),
            ((FileTime) values.get("lastModifiedTime")).toMillis());
    }

    /** The name of the file, whatever its paths are: as the JDK's {@code BasicFileAttributes.fileKey} says it. */
    String key() {
        return "(dev=" + Long.toHexString(device) + ",ino=" + inode + ")";
    }

    boolean isSameFile(final FileStatus other) {
        return other != null && device == other.device && inode == other.inode;
    }

    /** Refuse a path at which another file is by now, or none. */
    void requireStillAt(final Path path) throws IOException {
        if (!isSameFile(find(path))) {
            throw new NoSuchFileException(path.toString(), null, "it was replaced while it was opened");
        }
    }

    boolean isDirectory() {
        return (mode & TYPE_MASK) == TYPE_DIRECTORY;
    }

    boolean isSocket() {
        return (mode & TYPE_MASK) == TYPE_SOCKET;
    }

    /** Refuse anything but a regular file of this user. */
    void requireOwnFile(final Path path) throws IOException {
        requireType(path, TYPE_REGULAR, "a regular file");
        requireOwner(path);
    }

    /** Refuse anything but a socket of this user. */
    void requireOwnSocket(final Path path) throws IOException {
        requireType(path, TYPE_SOCKET, "a socket");
        requireOwner(path);
    }

    /**
     * Refuse a directory in which somebody else could put, replace or remove our files. The sticky bit forbids others
     * that, so a sticky directory of root's (/dev/shm, /tmp) or ours may be writable to all.
     */
    void requireOwnDirectory(final Path path) throws IOException {
        requireType(path, TYPE_DIRECTORY, "a directory");
        final boolean isSticky = (mode & STICKY) != 0;
        if (isSticky && uid == ROOT) {
            return;
        }
        requireOwner(path);
        if ((mode & WRITABLE_BY_OTHERS) != 0 && !isSticky) {
            throw new IOException("directory is writable by others: path=" + path + " mode="
                + Integer.toOctalString(mode & ~TYPE_MASK) + "; run chmod go-w on it, or choose another one");
        }
    }

    /** Refuse a directory in which anybody but this user or root could put another file in the place of ours. */
    void requireTrustedDirectory(final Path path) throws IOException {
        if (uid == ROOT && (mode & WRITABLE_BY_OTHERS) == 0) {
            requireType(path, TYPE_DIRECTORY, "a directory");
        } else {
            requireOwnDirectory(path);
        }
    }

    /** Refuse what anybody but its owner may read, write or run. */
    void requireNobodyElse(final Path path) throws IOException {
        if ((mode & OPEN_TO_OTHERS) != 0) {
            throw new IOException("others may use it: path=" + path + " mode="
                + Integer.toOctalString(mode & ~TYPE_MASK) + "; run chmod go= on it");
        }
    }

    private void requireType(final Path path, final int type, final String description) throws IOException {
        final int actual = mode & TYPE_MASK;
        if (actual == TYPE_LINK) {
            throw new IOException("symbolic links are not followed: path=" + path + "; name the target itself");
        }
        if (actual != type) {
            throw new IOException("not " + description + ": path=" + path + "; remove it, or choose another path");
        }
    }

    /** Refuse what belongs to another user. */
    void requireOwner(final Path path) throws IOException {
        final int user = CurrentUser.uid();
        if (uid != user) {
            throw new IOException("belongs to another user: path=" + path + " ownerUid=" + uid + " uid=" + user
                + "; choose another path, or run as its owner");
        }
    }
}
