package io.sluice.verbs.software;

import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkOpcode;
import io.sluice.verbs.WorkStatus;
import org.agrona.UnsafeApi;

/**
 * Data path: carries out the sends of one queue pair in the memory of its peer, as both NICs together would. Used by
 * one thread at a time: the poster, or whoever holds the lock of the waiting sends while some wait.
 */
final class Transmitter {
    /** The peer has no receive posted. */
    static final int WAIT_FOR_RECEIVE = -3;
    /** The peer is not ready to receive yet. */
    static final int WAIT_FOR_PEER = -4;

    /** No receive of a shared queue was taken. */
    private static final int NO_TOKEN = -1;
    /** Local regions remembered, found by the low bits of their key. */
    private static final int LOCAL_REGIONS = 16;

    private final DomainContents domain;
    private final long nonce;
    private final Wire wire;
    private final SoftwareRegion[] localRegions = new SoftwareRegion[LOCAL_REGIONS];
    private RegionImports imports;
    private ReadySignal peerSignal;
    private PeerQueuePair peer;
    private long peerFile;
    private long stateWord;
    private long completionEntries;
    private int completionMask;
    private long receiveEntries;
    private int receiveMask;
    private long remoteIndex;
    private long creditCached;
    /**
     * The queue that the peer's receives are taken from, one for each message, or null: then there is never credit
     * cached.
     */
    private PeerSharedReceives shared;
    private long tokens;
    private boolean isPeerChecked;

    /**
     * Create the transmitter of a queue pair that is not connected yet.
     *
     * @param domain of the queue pair.
     * @param nonce  of the queue pair.
     */
    Transmitter(final DomainContents domain, final long nonce, final Wire wire) {
        this.domain = domain;
        this.nonce = nonce;
        this.wire = wire;
    }

    /** Set-up: connects with the peer, whose mapped memory posts use from now on. */
    void connect(final PeerQueuePair connectedPeer, final RegionImports regionImports) {
        peer = connectedPeer;
        imports = regionImports;
        peerSignal = connectedPeer.signal();
        peerFile = connectedPeer.file();
        stateWord = peerFile + QueuePairLayout.STATE_OFFSET;
        receiveEntries = peerFile + QueuePairLayout.ENTRIES_OFFSET;
        receiveMask = connectedPeer.receiveEntries() - 1;
        completionEntries = peerFile + QueuePairLayout.completionsOffset(connectedPeer.receiveEntries());
        completionMask = connectedPeer.completionEntries() - 1;
        shared = connectedPeer.sharedReceives();
        tokens = completionEntries + (long) connectedPeer.completionEntries() * QueuePairLayout.ENTRY_LENGTH;
    }

    /**
     * Carry a request out.
     *
     * @return SUCCESS, the status of an error, or negative when it must wait.
     */
    int transmit(final int operation, final SendRequest request) {
        final int length = request.length();
        final int verdict = wire.decide(operation, request.workRequestId(), length, request.immediate());
        if (verdict != FaultHook.PASS) {
            return verdict == FaultHook.DROP ? WorkStatus.SUCCESS : verdict;
        }
        final int peerState = UnsafeApi.getIntAcquire(null, stateWord);
        if ((peerState & QueuePairLayout.RECEIVING) == 0 || !isPeerChecked) {
            final int status = examinePeer(peerState);
            if (status != WorkStatus.SUCCESS) {
                return status;
            }
        }
        if (operation != Wire.WRITE && remoteIndex == creditCached && !refreshCredit()) {
            return WAIT_FOR_RECEIVE;
        }
        if (operation >= Wire.SEND) {
            return send(operation, request);
        }
        if (length != 0) {
            final int status = write(request, peerState);
            if (status != WorkStatus.SUCCESS) {
                return status;
            }
        }
        if (operation == Wire.WRITE_WITH_IMMEDIATE) {
            if (remoteIndex == creditCached && shared.take() == 0) {
                // Another has taken the last one meanwhile; the bytes will be written again.
                return WAIT_FOR_RECEIVE;
            }
            complete(request, QueuePairLayout.verdict(
                WorkFlags.WITH_IMMEDIATE, WorkOpcode.RECV_RDMA_WITH_IMM, WorkStatus.SUCCESS));
        }
        return WorkStatus.SUCCESS;
    }

    /**
     * Carry a READ or an atomic out.
     *
     * @return SUCCESS, the status of an error, or negative when it must wait.
     */
    int fetch(final int operation, final SendRequest request) {
        final int length = request.length();
        final int verdict = wire.decide(operation, request.workRequestId(), length, 0);
        if (verdict != FaultHook.PASS) {
            return verdict == FaultHook.DROP ? WorkStatus.SUCCESS : verdict;
        }
        final int peerState = UnsafeApi.getIntAcquire(null, stateWord);
        if ((peerState & QueuePairLayout.RECEIVING) == 0 || !isPeerChecked) {
            final int status = examinePeer(peerState);
            if (status != WorkStatus.SUCCESS) {
                return status;
            }
        }
        return length == 0 ? WorkStatus.SUCCESS : fetch(operation, request, peerState);
    }

    private int fetch(final int operation, final SendRequest request, final int peerState) {
        if (UnsafeApi.getInt(peerFile + QueuePairLayout.READS_ANSWERED_OFFSET) <= 0) {
            endLink(QueuePairLayout.verdict(WorkFlags.NONE, QueuePairLayout.TERMINAL, WorkStatus.SUCCESS));
            return WorkStatus.REM_INV_REQ_ERR;
        }
        final long localAddress = request.localAddress();
        final int length = request.length();
        final SoftwareRegion local = localRegion(request.localKey());
        if (local == null || !local.isWritable() || !local.covers(localAddress, length)) {
            return WorkStatus.LOC_PROT_ERR;
        }
        final long remoteAddress = request.remoteAddress();
        final RegionImport source = imports.find(request.remoteKey());
        if (source == null || !permitsFetch(operation, peerState, source, remoteAddress, length)
            || !source.isMapped() && !imports.map(source)) {
            return violate();
        }
        bring(operation, request, localAddress, source.translate(remoteAddress), length);
        return WorkStatus.SUCCESS;
    }

    private static boolean permitsFetch(
        final int operation,
        final int peerState,
        final RegionImport source,
        final long remoteAddress,
        final int length) {
        return operation == Wire.READ
            ? (peerState & QueuePairLayout.REMOTE_READ) != 0 && source.permitsRead(remoteAddress, length)
            : (peerState & QueuePairLayout.REMOTE_ATOMIC) != 0 && source.permitsAtomic(remoteAddress, length);
    }

    /** Do a READ or an atomic that is permitted; addresses and length are those that were checked. */
    private void bring(
        final int operation,
        final SendRequest request,
        final long localAddress,
        final long source,
        final int length) {
        switch (operation) {
            case Wire.READ -> {
                // What was written before a word that is read here is read, too, by what comes after.
                wire.copy(request.workRequestId(), source, localAddress, length);
                UnsafeApi.loadFence();
            }
            case Wire.COMPARE_AND_SWAP -> UnsafeApi.putLong(localAddress,
                UnsafeApi.compareAndExchangeLong(null, source, request.operand(), request.replacement()));
            default -> UnsafeApi.putLong(localAddress, UnsafeApi.getAndAddLong(null, source, request.operand()));
        }
    }

    private int write(final SendRequest request, final int peerState) {
        final long localAddress = request.localAddress();
        final int length = request.length();
        final boolean isInline = (request.flags() & WorkFlags.INLINE) != 0;
        final SoftwareRegion local = isInline ? null : localRegion(request.localKey());
        if (!isInline && (local == null || !local.covers(localAddress, length))) {
            return WorkStatus.LOC_PROT_ERR;
        }
        final long remoteAddress = request.remoteAddress();
        final RegionImport target = imports.find(request.remoteKey());
        if (target == null || (peerState & QueuePairLayout.REMOTE_WRITE) == 0
            || !target.permitsWrite(remoteAddress, length)) {
            return violate();
        }
        if (local != null && target.isSameMemory(local, localAddress, remoteAddress)) {
            wire.skipCopy(request.workRequestId(), length);
            return WorkStatus.SUCCESS;
        }
        if (!target.isMapped() && !imports.map(target)) {
            return violate();
        }
        wire.copy(request.workRequestId(), localAddress, target.translate(remoteAddress), length);
        return WorkStatus.SUCCESS;
    }

    private int send(final int operation, final SendRequest request) {
        final long localAddress = request.localAddress();
        final int length = request.length();
        if (length != 0 && (request.flags() & WorkFlags.INLINE) == 0) {
            final SoftwareRegion local = localRegion(request.localKey());
            if (local == null || !local.covers(localAddress, length)) {
                return WorkStatus.LOC_PROT_ERR;
            }
        }
        final long receive = remoteIndex == creditCached
            ? shared.take() : receiveEntries + ((remoteIndex & receiveMask) << QueuePairLayout.ENTRY_SHIFT);
        if (receive == 0) {
            return WAIT_FOR_RECEIVE;
        }
        if (length > UnsafeApi.getInt(receive + QueuePairLayout.RECEIVE_LENGTH_OFFSET)) {
            return refuse(WorkStatus.LOC_LEN_ERR, WorkStatus.REM_INV_REQ_ERR);
        }
        if (length != 0) {
            final long address = UnsafeApi.getLong(receive);
            final RegionImport target = imports.find(UnsafeApi.getInt(receive + QueuePairLayout.RECEIVE_KEY_OFFSET));
            if (target == null || !target.permitsReceive(address, length)
                || !target.isMapped() && !imports.map(target)) {
                return refuse(WorkStatus.LOC_PROT_ERR, WorkStatus.REM_OP_ERR);
            }
            wire.copy(request.workRequestId(), localAddress, target.translate(address), length);
        }
        complete(request, QueuePairLayout.verdict(
            operation == Wire.SEND ? WorkFlags.NONE : WorkFlags.WITH_IMMEDIATE, WorkOpcode.RECV, WorkStatus.SUCCESS));
        return WorkStatus.SUCCESS;
    }

    private void complete(final SendRequest request, final int verdict) {
        final long index = remoteIndex;
        if (index == creditCached) {
            tellToken(index, shared.token());
        }
        wire.complete(
            request.workRequestId(),
            completionEntries + ((index & completionMask) << QueuePairLayout.ENTRY_SHIFT),
            request.body(),
            QueuePairLayout.seal(index, verdict));
        remoteIndex = index + 1;
    }

    /** Writes which receive of the shared queue the next completion entry is about. */
    private void tellToken(final long index, final int token) {
        UnsafeApi.putInt(tokens + (index & completionMask) * Integer.BYTES, token);
        creditCached = index + 1;
    }

    private SoftwareRegion localRegion(final int key) {
        final SoftwareRegion known = localRegions[key & LOCAL_REGIONS - 1];
        if (known != null && known.localKey() == key) {
            return known;
        }
        final SoftwareRegion found = domain.region(key);
        if (found != null) {
            localRegions[key & LOCAL_REGIONS - 1] = found;
        }
        return found;
    }

    private boolean refreshCredit() {
        if (shared != null) {
            return shared.hasReceive();
        }
        final long posted = UnsafeApi.getLongAcquire(null, peerFile + QueuePairLayout.RECEIVES_POSTED_OFFSET);
        // However wrong the peer's word is, entries that cannot have been polled are not overwritten.
        creditCached = Math.clamp(posted, remoteIndex, remoteIndex + receiveMask + 1);
        return creditCached != remoteIndex;
    }

    private int examinePeer(final int peerState) {
        if ((peerState & QueuePairLayout.RECEIVING) != 0) {
            final long connected = UnsafeApi.getLong(peerFile + QueuePairLayout.CONNECTED_NONCE_OFFSET);
            isPeerChecked = connected == nonce;
            return isPeerChecked ? WorkStatus.SUCCESS : WorkStatus.RETRY_EXC_ERR;
        }
        final int state = peerState & QueuePairLayout.STATE_MASK;
        return state == QueuePairLayout.RESET || state == QueuePairLayout.INIT
            ? WAIT_FOR_PEER : WorkStatus.RETRY_EXC_ERR;
    }

    /** A WRITE that the peer does not permit: both ends fail, and the peer's owner hears why. */
    private int violate() {
        UnsafeApi.putIntVolatile(
            null, peerFile + QueuePairLayout.FAULT_OFFSET, AsyncEventType.QP_ACCESS_ERR.ordinal() + 1);
        endLink(QueuePairLayout.verdict(WorkFlags.NONE, QueuePairLayout.TERMINAL, WorkStatus.SUCCESS));
        return WorkStatus.REM_ACCESS_ERR;
    }

    /** A SEND that the peer's receive cannot take: it uses that receive up, and both ends fail. */
    private int refuse(final int receiverStatus, final int senderStatus) {
        endLink(QueuePairLayout.verdict(WorkFlags.NONE, WorkOpcode.RECV, receiverStatus));
        return senderStatus;
    }

    private void endLink(final int verdict) {
        final long index = remoteIndex++;
        if (shared != null) {
            tellToken(index, verdict >>> 8 == WorkOpcode.RECV ? shared.token() : NO_TOKEN);
        }
        final long entry = completionEntries + ((index & completionMask) << QueuePairLayout.ENTRY_SHIFT);
        UnsafeApi.putLong(entry, 0);
        UnsafeApi.putLongRelease(
            null, entry + QueuePairLayout.SEAL_OFFSET, QueuePairLayout.seal(index, verdict));
        UnsafeApi.fullFence();
        peerSignal.raise(true);
    }

    /** Whether the peer's queue pair receives; false before {@link #connect}. */
    boolean isPeerReceiving() {
        return peer != null && (UnsafeApi.getIntAcquire(null, stateWord) & QueuePairLayout.RECEIVING) != 0;
    }

    /** Whether the peer's poller looks for completions by itself. */
    boolean isPeerLooking() {
        return UnsafeApi.getInt(peerFile + QueuePairLayout.UNSIGNALLED_OFFSET) != 0;
    }

    void signalPeer(final boolean isSolicited) {
        peerSignal.raise(isSolicited);
    }

    PeerQueuePair peer() {
        return peer;
    }

    RegionImports imports() {
        return imports;
    }
}
