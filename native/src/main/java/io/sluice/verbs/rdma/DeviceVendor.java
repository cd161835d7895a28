package io.sluice.verbs.rdma;

import io.sluice.verbs.foreign.DeviceFolder;

/**
 * The vendor of a device, and with that the provider of libibverbs that serves it: what one provider does otherwise
 * than others is asked here. Immutable; any thread.
 *
 * @param number in ibv_query_device(3), by the kernel; 0 where it tells none.
 */
record DeviceVendor(int number) {
    /** Devices of rdma_rxe, soft-RoCE. */
    static final int SOFT_ROCE = 0xff_ffff;
    /** Devices of siw, soft-iWARP. */
    static final int SOFT_IWARP = 0x62_6d74;
    /** Devices of qib and hfi1, whose queue pairs are the kernel's, in software: rdmavt. */
    static final int RDMAVT = 0x1175;
    /** Devices of mlx5 and mlx4. */
    static final int MELLANOX = 0x2c9;
    /** Devices of irdma. */
    static final int INTEL = 0x8086;
    /** Devices of bnxt_re. */
    static final int BROADCOM = 0x14e4;
    /** Devices of mana, Microsoft's. */
    static final int MANA = 0x1414;
    /** Devices of efa, Amazon's. */
    static final int EFA = 0x1d0f;
    /** Devices of hns, Huawei's. */
    static final int HNS = 0x19e5;
    /** Devices of erdma, Alibaba's. */
    static final int ERDMA = 0x1ded;
    /** Devices of ionic, AMD Pensando's. */
    static final int IONIC = 0x1dd8;
    /** Devices of qedr, Marvell's. */
    static final int QEDR = 0x1077;

    private static final int MANA_READS = 128;

    /**
     * Find a vendor by the number that ibv_query_device(3) tells. mana's kernel driver told 0 until May 2025, for
     * connected queue pairs, too: its adapter is known on the PCI bus, by the number that the driver tells since. No
     * other adapter's number is taken in place of a 0: the drivers of those tell theirs, and old kernels' soft-RoCE,
     * which told none, lies over an adapter of any vendor.
     */
    static DeviceVendor of(final int told, final DeviceFolder folder) {
        return new DeviceVendor(told == 0 && folder.adapterVendor() == MANA ? MANA : told);
    }

    /** Whether the device is rdma_rxe's. */
    boolean isSoftRoce() {
        return number == SOFT_ROCE;
    }

    /**
     * Whether a completion queue for one thread is without a lock. Other providers (irdma, hns, ionic, rxe) take the
     * flag and hold the lock all the same, so that it is no use to ask.
     */
    boolean isLockFreeForOneThread() {
        return number == MELLANOX || number == EFA;
    }

    /**
     * Whether the device may be of mlx5, whose environment variables mlx4 does not know: the number is that of both.
     */
    boolean readsMlx5Variables() {
        return number == MELLANOX;
    }

    /**
     * Whether {@code wr_start} takes a lock that {@code wr_complete} gives back and polls take in between: efa that of
     * the send queue, ionic that of the completion queue, too, by which posts of other queue pairs wait as well.
     */
    boolean locksPollsWhileBuilding() {
        return number == EFA || number == IONIC;
    }

    /**
     * The most READs of a queue pair that a device can have at a time, where that is fewer than sends: mana has a ring
     * of 4096 bytes for READs, and each takes 32.
     */
    int readPlaces() {
        return number == MANA ? MANA_READS : Integer.MAX_VALUE;
    }

    /**
     * Whether a completion queue that is armed again with nothing polled since is not armed any more: on mana, which
     * then claims an entry that the device has not made, up to rdma-core 691953d8d at least.
     */
    boolean losesRepeatedArming() {
        return number == MANA;
    }

    /**
     * Whether a queue pair that has failed is told of, by a completion with an error or by an event: "Error occurred on
     * a QP and it transitioned to error state", ibv_get_async_event(3). Cards are trusted to do so. What is in the
     * kernel, in software, is not: a queue pair of rdma_rxe went to ERROR in the lab with neither
     * (docs/decisions/007-completion-queues-that-overrun.md), and of rdmavt nobody knows. There an answer is read from
     * the kernel's memory, and no firmware is kept from its work. iWARP, whose queue pairs go with their TCP
     * connection, is refused altogether ({@link DeviceTransport}).
     */
    boolean tellsOfFailures() {
        return number != SOFT_ROCE && number != RDMAVT;
    }

    /**
     * Whether a completion queue can be resized without harm, else it is not even tried. On bnxt_re a resize holds the
     * queue's lock for seconds (bnxt_re/verbs.c:474), within it polls, which takes the lock of a failed queue pair's
     * other queue (:838), and leaves the queue in freed memory when the kernel refuses (:488).
     */
    boolean resizesSafely() {
        return number != BROADCOM;
    }

    /**
     * Whether a critical post takes the lock of a completion queue, which {@code ibv_destroy_qp} of another queue pair
     * holds while it walks through the queue. On mlx5 (qp.c:195, verbs.c:3022) and mlx4 (qp.c:114, verbs.c:1273) a post
     * does to a full queue, on ionic (ionic_verbs.c:3163 and 3300, 2506) any. What hns does in posts is plain anyway.
     */
    boolean locksQueuesInPosts() {
        return number == MELLANOX || number == IONIC;
    }

    /**
     * Whether a queue pair that goes leaves its completions behind, and polls answer EINVAL for each: efa/verbs.c:2486
     * takes the queue pair from a table, in which :915 does not find it.
     */
    boolean forgetsQueuePairs() {
        return number == EFA;
    }

    /** Whether polls follow pointers to queue pairs that are freed: qelr_verbs.c:2478 does, and :1073 has freed. */
    boolean followsFreedQueuePairs() {
        return number == QEDR;
    }
}
