package io.sluice.environment;

import java.io.IOException;
import java.nio.file.Path;

/** A lock file with open file description locks: whatever else this process does with the file leaves them alone. */
final class DescriptorLockFile implements LockFile {
    private final LockCalls calls;
    private final int descriptor;

    DescriptorLockFile(final LockCalls calls, final Path file, final boolean isWritable) throws IOException {
        this.calls = calls;
        descriptor = calls.open(file, isWritable);
    }

    @Override
    public boolean tryLock(final long index) throws IOException {
        return calls.tryLock(descriptor, index);
    }

    @Override
    public boolean isHeld() throws IOException {
        return calls.isLocked(descriptor, HOLDER_BYTE);
    }

    @Override
    public boolean isContended() throws IOException {
        return calls.isLocked(descriptor, CONTENDER_BYTE);
    }

    @Override
    public LockOwner owner() throws IOException {
        return LockOwner.parse(calls.read(descriptor, LockOwner.LENGTH));
    }

    @Override
    public void name(final LockOwner owner) throws IOException {
        calls.write(descriptor, owner == null ? new byte[LockOwner.LENGTH] : owner.encode());
    }

    @Override
    public void close() {
        calls.close(descriptor);
    }
}
