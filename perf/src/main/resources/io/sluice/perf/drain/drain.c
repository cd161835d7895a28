/*
 * A completion queue without a device behind it, and the loops in C that are measured beside those in Java. Both sides call the same
 * functions through the same tables; the functions do next to nothing, so that the calls themselves are what is measured.
 *
 * A queue offers its completions in bursts: whoever has seen the end of one finds the next one.
 */
#include <stddef.h>
#include <stdint.h>

#define EMPTY 2 /* ENOENT */
#define BATCH 16

/* As in infiniband/verbs.h; the offsets are checked against those that the bindings have. */
struct wc {
    uint64_t wr_id;
    uint32_t status;
    uint32_t opcode;
    uint32_t vendor_err;
    uint32_t byte_len;
    uint32_t imm_data;
    uint32_t qp_num;
    uint32_t src_qp;
    uint32_t wc_flags;
    uint16_t pkey_index;
    uint16_t slid;
    uint8_t sl;
    uint8_t dlid_path_bits;
};

struct cq;

struct context {
    char before[POLL_CQ_OFFSET];
    int (*poll_cq)(struct cq *queue, int count, struct wc *completions);
};

struct cq {
    struct context *context;
    char between[STATUS_OFFSET - sizeof(void *)];
    uint32_t status;
    uint64_t wr_id;
    int (*start_poll)(struct cq *queue, uint64_t *attributes);
    int (*next_poll)(struct cq *queue);
    void (*end_poll)(struct cq *queue);
    uint32_t (*read_opcode)(struct cq *queue);
    uint32_t (*read_vendor_err)(struct cq *queue);
    uint32_t (*read_byte_len)(struct cq *queue);
    uint32_t (*read_imm_data)(struct cq *queue);
    uint32_t (*read_qp_num)(struct cq *queue);
    uint32_t (*read_src_qp)(struct cq *queue);
    unsigned int (*read_wc_flags)(struct cq *queue);
    void *rare_readers[16];
    /* Of this queue, behind what an ibv_cq_ex has. */
    uint64_t next_id;
    uint32_t burst;
    uint32_t left;
};

_Static_assert(sizeof(struct wc) == WC_LENGTH, "ibv_wc");
_Static_assert(offsetof(struct wc, imm_data) == WC_IMM_DATA_OFFSET, "ibv_wc.imm_data");
_Static_assert(offsetof(struct cq, status) == STATUS_OFFSET, "ibv_cq_ex.status");
_Static_assert(offsetof(struct cq, wr_id) == WR_ID_OFFSET, "ibv_cq_ex.wr_id");
_Static_assert(offsetof(struct cq, start_poll) == START_POLL_OFFSET, "ibv_cq_ex.start_poll");
_Static_assert(offsetof(struct cq, read_wc_flags) == READ_WC_FLAGS_OFFSET, "ibv_cq_ex.read_wc_flags");
_Static_assert(offsetof(struct cq, next_id) >= CQ_EX_LENGTH, "ibv_cq_ex");

static int take(struct cq *queue) {
    if (queue->left == 0) {
        queue->left = queue->burst;
        return EMPTY;
    }
    queue->left--;
    queue->wr_id = queue->next_id++;
    queue->status = 0;
    return 0;
}

static int start_poll(struct cq *queue, uint64_t *attributes) {
    (void)attributes;
    return take(queue);
}

static int next_poll(struct cq *queue) {
    return take(queue);
}

static void end_poll(struct cq *queue) {
    (void)queue;
}

static uint32_t read_opcode(struct cq *queue) {
    (void)queue;
    return 129;
}

static uint32_t read_byte_len(struct cq *queue) {
    return (uint32_t)queue->wr_id & 63;
}

static uint32_t read_imm_data(struct cq *queue) {
    return __builtin_bswap32((uint32_t)queue->wr_id);
}

static uint32_t read_number(struct cq *queue) {
    (void)queue;
    return 17;
}

static unsigned int read_wc_flags(struct cq *queue) {
    (void)queue;
    return 2;
}

static int poll_cq(struct cq *queue, int count, struct wc *completions) {
    int taken = 0;
    while (taken < count && queue->left > 0) {
        struct wc *completion = &completions[taken++];
        uint64_t id = queue->next_id++;
        queue->left--;
        completion->wr_id = id;
        completion->status = 0;
        completion->opcode = 129;
        completion->byte_len = (uint32_t)id & 63;
        completion->imm_data = __builtin_bswap32((uint32_t)id);
        completion->qp_num = 17;
        completion->wc_flags = 2;
    }
    if (taken < count) {
        queue->left = queue->burst;
    }
    return taken;
}

static struct context the_context = { .poll_cq = poll_cq };
static struct cq the_queue = {
    .context = &the_context,
    .start_poll = start_poll,
    .next_poll = next_poll,
    .end_poll = end_poll,
    .read_opcode = read_opcode,
    .read_vendor_err = read_number,
    .read_byte_len = read_byte_len,
    .read_imm_data = read_imm_data,
    .read_qp_num = read_number,
    .read_src_qp = read_number,
    .read_wc_flags = read_wc_flags,
};

/* The queue, as new, with bursts of so many completions. */
struct cq *drain_queue(uint32_t burst) {
    the_queue.next_id = 1;
    the_queue.burst = burst;
    the_queue.left = burst;
    return &the_queue;
}

/* Drain at least so many completions, reading what a transport reads; the sum of it. */
uint64_t drain_legacy(struct cq *queue, uint64_t count) {
    struct wc completions[BATCH];
    uint64_t sum = 0;
    uint64_t drained = 0;
    while (drained < count) {
        int taken = queue->context->poll_cq(queue, BATCH, completions);
        for (int i = 0; i < taken; i++) {
            if (completions[i].status == 0) {
                sum += completions[i].wr_id + __builtin_bswap32(completions[i].imm_data);
            }
        }
        drained += (uint64_t)taken;
    }
    return sum;
}

uint64_t drain_extended(struct cq *queue, uint64_t count) {
    uint64_t attributes = 0;
    uint64_t sum = 0;
    uint64_t drained = 0;
    while (drained < count) {
        if (queue->start_poll(queue, &attributes) == 0) {
            int room = BATCH;
            int next;
            do {
                if (queue->status == 0) {
                    sum += queue->wr_id + __builtin_bswap32(queue->read_imm_data(queue));
                }
                drained++;
                next = --room > 0 ? queue->next_poll(queue) : EMPTY;
            } while (next == 0);
            queue->end_poll(queue);
        }
    }
    return sum;
}

uint64_t drain_five(struct cq *queue, uint64_t count) {
    uint64_t attributes = 0;
    uint64_t sum = 0;
    uint64_t drained = 0;
    while (drained < count) {
        if (queue->start_poll(queue, &attributes) == 0) {
            int room = BATCH;
            int next;
            do {
                if (queue->status == 0) {
                    sum += queue->wr_id + __builtin_bswap32(queue->read_imm_data(queue)) + queue->read_opcode(queue)
                        + queue->read_byte_len(queue) + queue->read_wc_flags(queue);
                }
                drained++;
                next = --room > 0 ? queue->next_poll(queue) : EMPTY;
            } while (next == 0);
            queue->end_poll(queue);
        }
    }
    return sum;
}

/* Poll an empty queue; how often it was empty. */
uint64_t look_legacy(struct cq *queue, uint64_t count) {
    struct wc completions[BATCH];
    uint64_t empty = 0;
    for (uint64_t i = 0; i < count; i++) {
        empty += queue->context->poll_cq(queue, BATCH, completions) == 0;
    }
    return empty;
}

uint64_t look_extended(struct cq *queue, uint64_t count) {
    uint64_t attributes = 0;
    uint64_t empty = 0;
    for (uint64_t i = 0; i < count; i++) {
        empty += queue->start_poll(queue, &attributes) == EMPTY;
    }
    return empty;
}
