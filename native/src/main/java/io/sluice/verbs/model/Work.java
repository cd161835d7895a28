package io.sluice.verbs.model;

import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.rdma.generated.ibv_send_wr;
import io.sluice.verbs.rdma.generated.ibv_sge;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.UnsafeApi;

/** A send request as it lies in a send queue. Guarded by the fabric's monitor. */
final class Work {
    static final int WRITE = 0;
    static final int WRITE_WITH_IMMEDIATE = 1;
    static final int SEND = 2;
    static final int SEND_WITH_IMMEDIATE = 3;
    static final int READ = 4;
    static final int COMPARE_SWAP = 5;
    static final int FETCH_ADD = 6;

    long id;
    int opcode;
    int flags;
    long address;
    int length;
    int key;
    /** The bytes as they were at the post; null for those in a region. */
    MemorySegment inline;
    long remoteAddress;
    int remoteKey;
    int immediate;
    long operand;
    long replacement;
    long addressHandle;
    int remoteNumber;
    int remoteQueueKey;
    /** Number of its place in the send queue. */
    int slot;
    int scatterEntries;

    /** Takes the work of an {@code ibv_send_wr}. */
    static Work of(final long request, final boolean isDatagram, final boolean ignoresInline) {
        final MemorySegment wr = Stubs.struct(request, ibv_send_wr.layout());
        final Work work = new Work();
        work.id = ibv_send_wr.wr_id(wr);
        work.opcode = ibv_send_wr.opcode(wr);
        work.flags = ibv_send_wr.send_flags(wr);
        work.immediate = ibv_send_wr.imm_data(wr);
        work.scatterEntries = ibv_send_wr.num_sge(wr);
        if (work.scatterEntries > 0) {
            final MemorySegment range = Stubs.struct(ibv_send_wr.sg_list(wr).address(), ibv_sge.layout());
            work.range(ibv_sge.addr(range), ibv_sge.length(range), ibv_sge.lkey(range));
        }
        final MemorySegment union = ibv_send_wr.wr(wr);
        if (isDatagram) {
            final MemorySegment peer = ibv_send_wr.wr.ud(union);
            work.to(ibv_send_wr.wr.ud.ah(peer).address(), ibv_send_wr.wr.ud.remote_qpn(peer),
                ibv_send_wr.wr.ud.remote_qkey(peer));
        } else if (work.isAtomic()) {
            final MemorySegment atomic = ibv_send_wr.wr.atomic(union);
            work.at(ibv_send_wr.wr.atomic.remote_addr(atomic), ibv_send_wr.wr.atomic.rkey(atomic));
            work.operand = ibv_send_wr.wr.atomic.compare_add(atomic);
            work.replacement = ibv_send_wr.wr.atomic.swap(atomic);
        } else {
            final MemorySegment rdma = ibv_send_wr.wr.rdma(union);
            work.at(ibv_send_wr.wr.rdma.remote_addr(rdma), ibv_send_wr.wr.rdma.rkey(rdma));
        }
        if (work.isInline() && !ignoresInline) {
            work.copy();
        }
        return work;
    }

    void range(final long localAddress, final int localLength, final int localKey) {
        address = localAddress;
        length = localLength;
        key = localKey;
    }

    void at(final long peerAddress, final int peerKey) {
        remoteAddress = peerAddress;
        remoteKey = peerKey;
    }

    void to(final long handle, final int number, final int queueKey) {
        addressHandle = handle;
        remoteNumber = number;
        remoteQueueKey = queueKey;
    }

    /** Take the bytes now. */
    void copy() {
        inline = Arena.ofAuto().allocate(Math.max(1, length), Long.BYTES);
        UnsafeApi.copyMemory(address, inline.address(), length);
    }

    boolean isInline() {
        return (flags & WorkFlags.INLINE) != 0;
    }

    boolean isAtomic() {
        return opcode == COMPARE_SWAP || opcode == FETCH_ADD;
    }

    boolean isSend() {
        return opcode == SEND || opcode == SEND_WITH_IMMEDIATE;
    }

    boolean hasImmediate() {
        return opcode == SEND_WITH_IMMEDIATE || opcode == WRITE_WITH_IMMEDIATE;
    }

    /** Whether the work consumes a receive of the peer. */
    boolean needsReceive() {
        return isSend() || opcode == WRITE_WITH_IMMEDIATE;
    }

    /** Whether bytes come back. */
    boolean isAnswered() {
        return opcode == READ || isAtomic();
    }

    /** The opcode of its completion, {@code IBV_WC_}. */
    int completionOpcode() {
        return switch (opcode) {
            case SEND, SEND_WITH_IMMEDIATE -> 0;
            case WRITE, WRITE_WITH_IMMEDIATE -> 1;
            case READ -> 2;
            case COMPARE_SWAP -> 3;
            default -> 4;
        };
    }
}
