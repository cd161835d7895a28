package io.sluice.verbs.model;

import io.sluice.verbs.CompletionField;
import io.sluice.verbs.CompletionQueueFlags;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The behaviour of a provider of rdma-core, as far as it was read (HEAD of August 2026). Immutable; any thread.
 *
 * @param name              of the provider.
 * @param vendor            in ibv_query_device(3): by the kernel. Most are the number that rdma-core finds a PCI device
 *                          by; mlx5's and mlx4's are not (it finds 0x15b3), and mana's and ionic's are not in it.
 * @param fields            {@link CompletionField} bits of its extended queues.
 * @param flags             {@link CompletionQueueFlags} bits of them.
 * @param maxInlineBytes    of a queue pair.
 * @param maxScatterEntries of a request.
 * @param linkLayer         of its port.
 * @param traits            each with where it was read: a file below {@code providers}, and a line.
 */
public record ModelCard(
    String name,
    int vendor,
    int fields,
    int flags,
    int maxInlineBytes,
    int maxScatterEntries,
    LinkLayer linkLayer,
    Map<Trait, String> traits) {
    /** {@code IBV_WC_STANDARD_FLAGS}. */
    private static final int STANDARD = CompletionField.BYTE_LENGTH | CompletionField.IMMEDIATE
        | CompletionField.QUEUE_PAIR_NUMBER | CompletionField.SOURCE_QUEUE_PAIR | CompletionField.SOURCE_LID
        | CompletionField.SERVICE_LEVEL | CompletionField.DESTINATION_PATH_BITS;
    private static final int ANY_LENGTH = 4096;

    /** NVIDIA ConnectX-4 and later: vendor by the kernel; fields mlx5/verbs.c:1032, flags :1047, inline :1806. */
    public static final ModelCard MLX5 = new ModelCard("mlx5", 0x02c9,
        STANDARD | CompletionField.COMPLETION_TIMESTAMP | CompletionField.CUSTOMER_VLAN | CompletionField.FLOW_TAG
            | CompletionField.COMPLETION_TIMESTAMP_WALL_CLOCK,
        CompletionQueueFlags.SINGLE_THREADED | CompletionQueueFlags.IGNORE_OVERRUN, 956, 30, LinkLayer.ETHERNET,
        Map.ofEntries(
            Map.entry(Trait.EXTENDED_QUEUES, "mlx5/mlx5.c:143"),
            Map.entry(Trait.LOCKS_BATCHES, "mlx5/cq.c:1116"),
            Map.entry(Trait.LOCKS_QUEUE_WHEN_FULL, "mlx5/qp.c:195"),
            Map.entry(Trait.CLEANS_QUEUES, "mlx5/verbs.c:3022"),
            Map.entry(Trait.RESIZES, "mlx5/mlx5.c:116"),
            Map.entry(Trait.RESIZES_UNDER_LOCK, "mlx5/verbs.c:1359"),
            Map.entry(Trait.BUILDER, "mlx5/mlx5.c:146"),
            Map.entry(Trait.OVERWRITES_WHEN_FULL, "mlx5/qp.c:1251"),
            Map.entry(Trait.SHARED_RECEIVES, "mlx5/mlx5.c:118"),
            Map.entry(Trait.ATOMICS, "mlx5/qp.c:898"),
            Map.entry(Trait.READS_CLOCK, "mlx5/mlx5.c:170"),
            Map.entry(Trait.PARENT_DOMAINS, "mlx5/mlx5.c:136")));

    /** An InfiniBand virtual function of such a card. */
    public static final ModelCard MLX5_VF = new ModelCard("mlx5_vf", MLX5.vendor, MLX5.fields, MLX5.flags,
        MLX5.maxInlineBytes, MLX5.maxScatterEntries, LinkLayer.INFINIBAND, MLX5.traits)
        .with(Trait.REQUIRES_GLOBAL_ROUTE, "mlx5/verbs.c:3509,libibverbs/man/ibv_modify_qp.3:177");

    /** NVIDIA ConnectX-3: fields mlx4/verbs.c:415, flags :424, inline below the 1024 of :915. */
    public static final ModelCard MLX4 = new ModelCard("mlx4", 0x02c9,
        STANDARD | CompletionField.COMPLETION_TIMESTAMP, CompletionQueueFlags.SINGLE_THREADED, 928, 32,
        LinkLayer.INFINIBAND, Map.of(
            Trait.EXTENDED_QUEUES, "mlx4/mlx4.c:119",
            Trait.LOCKS_BATCHES, "mlx4/cq.c:406",
            Trait.LOCKS_QUEUE_WHEN_FULL, "mlx4/qp.c:114",
            Trait.CLEANS_QUEUES, "mlx4/verbs.c:1273",
            Trait.RESIZES, "mlx4/mlx4.c:100",
            Trait.RESIZES_UNDER_LOCK, "mlx4/verbs.c:618",
            Trait.SHARED_RECEIVES, "mlx4/mlx4.c:102",
            Trait.READS_CLOCK, "mlx4/mlx4.c:134",
            Trait.ATOMICS, "mlx4/qp.c:278"));

    /** Intel E810: fields irdma/umain.h:24, inline irdma/user.h:188. */
    public static final ModelCard IRDMA = new ModelCard("irdma", 0x8086,
        STANDARD & ~CompletionField.DESTINATION_PATH_BITS | CompletionField.COMPLETION_TIMESTAMP, 0, 101, 13,
        LinkLayer.ETHERNET, Map.of(
            Trait.EXTENDED_QUEUES, "irdma/umain.c:95",
            Trait.LOCKS_BATCHES, "irdma/uverbs.c:1079",
            Trait.IGNORES_SINGLE_THREADED, "irdma/uverbs.c:552",
            Trait.CLEANS_QUEUES, "irdma/uverbs.c:1741",
            Trait.RESIZES, "irdma/umain.c:115",
            Trait.RESIZES_UNDER_LOCK, "irdma/uverbs.c:2261",
            Trait.SHARED_RECEIVES, "irdma/umain.c:80",
            Trait.ENTERS_KERNEL_IN_ERROR, "irdma/uverbs.c:2012",
            Trait.FLUSHES_RECEIVES_FIRST, "irdma/uverbs.c:1716"));

    /** Broadcom: inline bnxt_re/bnxt_re-abi.h:331. */
    public static final ModelCard BNXT = new ModelCard("bnxt", 0x14e4, 0, 0, 96, 6, LinkLayer.ETHERNET, Map.of(
        Trait.RESIZES, "bnxt_re/main.c:105",
        Trait.CLEANS_QUEUES, "bnxt_re/verbs.c:2242",
        Trait.FOLLOWS_QUEUE_PAIRS, "bnxt_re/verbs.c:840, after :2242 has cleaned that queue",
        Trait.BUILDER, "bnxt_re/main.c:123",
        Trait.SHARED_RECEIVES, "bnxt_re/main.c:107",
        Trait.RESIZES_UNDER_LOCK, "bnxt_re/verbs.c:474",
        Trait.DATAGRAMS_ENTER_KERNEL, "bnxt_re/verbs.c:2642",
        Trait.POLLS_LOCK_OTHER_QUEUE, "bnxt_re/verbs.c:838",
        Trait.ATOMICS, "bnxt_re/verbs.c:2503"));

    /** Microsoft Azure: mana/wr.c has no line about inline bytes; the operations are mana/mana.c:398 to :429. */
    public static final ModelCard MANA = new ModelCard("mana", 0x1414, 0, 0, ANY_LENGTH, 30, LinkLayer.ETHERNET,
        Map.ofEntries(
            Map.entry(Trait.LACKS_STATE_QUERY, "mana/mana.c:398-429"),
            Map.entry(Trait.LACKS_DATAGRAMS, "mana/qp.c:345"),
            Map.entry(Trait.POLLS_ENTER_KERNEL, "mana/cq.c:420"),
            Map.entry(Trait.LOCKS_POSTS_WHILE_FAILING, "mana/qp.c:403"),
            Map.entry(Trait.CALLS_POSTS_IN_ERROR_INVALID, "mana/wr.c:150,380"),
            Map.entry(Trait.FOLLOWS_QUEUE_PAIRS, "mana/qp.c:208,156"),
            Map.entry(Trait.READS_IN_A_RING, "mana/qp.c:231,mana/wr.c:301,370"),
            Map.entry(Trait.LACKS_SOLICITED_EVENTS, "mana/cq.c:226"),
            Map.entry(Trait.ARMS_WITH_NEGATIVE_ERRORS, "mana/cq.c:226"),
            Map.entry(Trait.LOSES_REPEATED_ARMING, "mana/doorbells.h:98"),
            Map.entry(Trait.IGNORES_INLINE, "mana/wr.c:236")));

    /** Amazon: fields and flags efa/verbs.c:1220 to :1228, inline efa/efa_io_defs.h:11. */
    public static final ModelCard EFA = new ModelCard("efa", 0x1d0f, STANDARD, CompletionQueueFlags.SINGLE_THREADED,
        32, 2, LinkLayer.UNSPECIFIED, Map.ofEntries(
            Map.entry(Trait.EXTENDED_QUEUES, "efa/efa.c:38"),
            Map.entry(Trait.LOCKS_BATCHES, "efa/verbs.c:1017"),
            Map.entry(Trait.FORGETS_QUEUE_PAIRS, "efa/verbs.c:2486,915"),
            Map.entry(Trait.BUILDER, "efa/efa.c:40"),
            Map.entry(Trait.POLLS_UNDER_SEND_LOCK, "efa/verbs.c:486,3219"),
            Map.entry(Trait.LACKS_CONNECTIONS, "efa/verbs.c:2084"),
            Map.entry(Trait.LACKS_SOLICITED_EVENTS, "efa/verbs.c:584"),
            Map.entry(Trait.TAKES_SIGNALLED_SENDS_ONLY, "efa/verbs.c:2641,2648"),
            Map.entry(Trait.CALLS_POSTS_IN_ERROR_INVALID, "efa/verbs.c:2633,3356"),
            Map.entry(Trait.ARMS_WITH_CHANNEL_ONLY, "efa/verbs.c:573,1322"),
            Map.entry(Trait.PARENT_DOMAINS, "efa/efa.c:32")));

    /** Huawei: fields hns/hns_roce_u_verbs.c:355, inline by the kernel. */
    public static final ModelCard HNS = new ModelCard("hns", 0x19e5, STANDARD | CompletionField.CUSTOMER_VLAN, 0, 1024,
        64, LinkLayer.ETHERNET, Map.ofEntries(
            Map.entry(Trait.EXTENDED_QUEUES, "hns/hns_roce_u.c:64"),
            Map.entry(Trait.LOCKS_BATCHES, "hns/hns_roce_u_hw_v2.c:1912"),
            Map.entry(Trait.IGNORES_SINGLE_THREADED, "hns/hns_roce_u_verbs.c:396"),
            Map.entry(Trait.GRANTS_LESS_INLINE, "hns/hns_roce_u_verbs.c:1254"),
            Map.entry(Trait.LOCKS_QUEUE_WHEN_FULL, "hns/hns_roce_u_hw_v2.c:273"),
            Map.entry(Trait.CLEANS_QUEUES, "hns/hns_roce_u_hw_v2.c:1751"),
            Map.entry(Trait.FOLLOWS_QUEUE_PAIRS, "hns/hns_roce_u_hw_v2.c:360"),
            Map.entry(Trait.BUILDER, "hns/hns_roce_u.c:66"),
            Map.entry(Trait.SHARED_RECEIVES, "hns/hns_roce_u.c:76"),
            Map.entry(Trait.ATOMICS, "hns/hns_roce_u_hw_v2.c:137"),
            Map.entry(Trait.PARENT_DOMAINS, "hns/hns_roce_u.c:90"),
            Map.entry(Trait.POLLS_ENTER_KERNEL, "hns/hns_roce_u_hw_v2.c:829"),
            Map.entry(Trait.LOCKS_POSTS_WHILE_FAILING, "hns/hns_roce_u_hw_v2.c:1647"),
            Map.entry(Trait.ENTERS_KERNEL_IN_ERROR, "hns/hns_roce_u_hw_v2.c:1428")));

    /** Alibaba: inline erdma/erdma_hw.h:74 by erdma/erdma_verbs.h:17, one entry of a receive :18. */
    public static final ModelCard ERDMA = new ModelCard("erdma", 0x1ded, 0, 0, 96, 1, LinkLayer.ETHERNET, Map.of(
        Trait.LOCKS_POSTS_WHILE_FAILING, "erdma/erdma_verbs.c:500",
        Trait.FOLLOWS_QUEUE_PAIRS, "erdma/erdma_verbs.c:960 and :527",
        Trait.REFUSES_POSTS_IN_ERROR, "erdma/erdma_verbs.c:762 and :1009",
        Trait.ATOMICS, "erdma/erdma_verbs.c:632",
        Trait.ANSWERS_NEGATIVE_ERRORS, "erdma/erdma_verbs.c:771 and :803"));

    /** AMD Pensando: fields ionic/ionic.h:49; {@code start_poll} is a poll of one, ionic/ionic_verbs.c:560. */
    public static final ModelCard IONIC = new ModelCard("ionic", 0x1dd8,
        STANDARD | CompletionField.COMPLETION_TIMESTAMP | CompletionField.COMPLETION_TIMESTAMP_WALL_CLOCK, 0, 220, 8,
        LinkLayer.ETHERNET, Map.ofEntries(
            Map.entry(Trait.EXTENDED_QUEUES, "ionic/ionic_verbs.c:3539"),
            Map.entry(Trait.IGNORES_SINGLE_THREADED, "ionic/ionic_verbs.c:701"),
            Map.entry(Trait.CLEANS_QUEUES, "ionic/ionic_verbs.c:2507"),
            Map.entry(Trait.BUILDER, "ionic/ionic_verbs.c:3544"),
            Map.entry(Trait.POLLS_UNDER_SEND_LOCK, "ionic/ionic_verbs.c:1474,1867"),
            Map.entry(Trait.HOLDS_QUEUE_WHILE_BUILDING, "ionic/ionic_verbs.c:1866"),
            Map.entry(Trait.POSTS_UNDER_QUEUE_LOCK, "ionic/ionic_verbs.c:3163,3300"),
            Map.entry(Trait.ARMS_WITH_NEGATIVE_ERRORS, "ionic/ionic_verbs.c:1644"),
            Map.entry(Trait.ARMS_WITH_CHANNEL_ONLY, "ionic/ionic_verbs.c:1644"),
            Map.entry(Trait.ATOMICS, "ionic/ionic_verbs.c:2841"),
            Map.entry(Trait.PARENT_DOMAINS, "ionic/ionic_verbs.c:3532")));

    /** Marvell: inline qedr/roce_common.h:43, which qedr/qelr_verbs.c:1531 looks at as it posts. */
    public static final ModelCard QEDR = new ModelCard("qedr", 0x1077, 0, 0, 256, 4, LinkLayer.ETHERNET, Map.of(
        Trait.SHARED_RECEIVES, "qedr/qelr_main.c:102",
        Trait.LACKS_DATAGRAMS, "qedr/qelr_verbs.c:775",
        Trait.FOLLOWS_QUEUE_PAIRS, "qedr/qelr_verbs.c:2478 and :1073",
        Trait.FOLLOWS_FREED_QUEUE_PAIRS, "qedr/qelr_verbs.c:1055 to :1073",
        Trait.ATOMICS, "qedr/qelr_verbs.c:1750",
        Trait.ANSWERS_NEGATIVE_ERRORS, "qedr/qelr_verbs.c:1511 and :1983"));

    /** Soft-RoCE: fields rxe/rxe.c:404, inline as the kernel's RXE_MAX_INLINE_DATA. */
    public static final ModelCard RXE = new ModelCard("rxe", 0xff_ffff, STANDARD, 0, 512, 32, LinkLayer.ETHERNET,
        Map.of(
            Trait.EXTENDED_QUEUES, "rxe/rxe.c:1835",
            Trait.LOCKS_BATCHES, "rxe/rxe.c:243",
            Trait.IGNORES_SINGLE_THREADED, "rxe/rxe.c:423",
            Trait.RESIZES, "rxe/rxe.c:1838",
            Trait.RESIZES_UNDER_LOCK, "rxe/rxe.c:506",
            Trait.BUILDER, "rxe/rxe.c:1847",
            Trait.SHARED_RECEIVES, "rxe/rxe.c:1840",
            Trait.ATOMICS, "rxe/rxe.c:1521",
            Trait.SENDS_ENTER_KERNEL, "rxe/rxe.c:1685 and :1186",
            Trait.FREES_PLACES_WHEN_DONE, "rxe/rxe.c:725"));

    /** A card. */
    public ModelCard {
        traits = Map.copyOf(traits);
    }

    /**
     * All of them.
     *
     * @return in the order in which people look for them.
     */
    public static List<ModelCard> all() {
        return List.of(MLX5, MLX5_VF, MLX4, IRDMA, BNXT, MANA, EFA, HNS, ERDMA, IONIC, QEDR, RXE);
    }

    /**
     * Whether the provider does something.
     *
     * @param trait in question.
     * @return true when it does.
     */
    public boolean has(final Trait trait) {
        return traits.containsKey(trait);
    }

    /**
     * A card like this one with a trait that only some devices, or their settings, have.
     *
     * @param trait  to add.
     * @param source where it was read.
     * @return a new card.
     */
    public ModelCard with(final Trait trait, final String source) {
        final Map<Trait, String> more = new EnumMap<>(Trait.class);
        more.putAll(traits);
        more.put(trait, source);
        return new ModelCard(name, vendor, fields, flags, maxInlineBytes, maxScatterEntries, linkLayer, more);
    }

    /**
     * A card like this one whose extended queues have fewer fields.
     *
     * @param lacking {@link CompletionField} bits that they have no readers for.
     * @return a new card.
     */
    public ModelCard without(final int lacking) {
        return new ModelCard(
            name, vendor, fields & ~lacking, flags, maxInlineBytes, maxScatterEntries, linkLayer, traits);
    }

    /**
     * A card like this one with another limit of inline bytes: some have such, or settings of them.
     *
     * @param bytes of a queue pair.
     * @return a new card of another name.
     */
    public ModelCard withInlineBytes(final int bytes) {
        return new ModelCard(
            name + "_inline_" + bytes, vendor, fields, flags, bytes, maxScatterEntries, linkLayer, traits);
    }

    @Override
    public String toString() {
        return name;
    }
}
