/*
 * The data path of a model card: what a provider does in posts and polls, as far as it takes locks or enters the
 * kernel. Set-up calls are the model's, which calls resize, fail, has_failed and destroy here. Requests complete at
 * once, and move no bytes. A system call sleeps for a while, so that the thread loses its processor.
 *
 * Traits are bits, each defined by its name; offsets in the structs of libibverbs are defined, too.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAIRS 64
#define QUEUES 1024
#define PLACES 64
/* The last ones are kept. */
#define WAITS 64
/* Statuses and opcodes of completions. */
#define SUCCESS 0
#define FLUSHED 5
#define REMOTE_ACCESS 10
#define SENT 1
#define RECEIVED 128

struct queue {
    int is_single_threaded;
    int lock;
    int is_locked_by_batch;
    uint32_t number;
    uint32_t opcode;
};

struct pair {
    int is_used;
    int is_datagram;
    uint32_t number;
    struct queue *send_queue;
    struct queue *receive_queue;
    int send_lock;
    int receive_lock;
    int has_failed;
    /* For the library, too. */
    int is_told;
    uint32_t max_sends;
    uint32_t max_receives;
    /* Head is written by who posts, tail by who polls. */
    uint32_t head;
    uint32_t tail;
    uint32_t receive_head;
    uint32_t receive_tail;
    uint64_t ids[PLACES];
    uint64_t receive_ids[PLACES];
    /* Of a post that is under way. */
    uint32_t built;
    int is_full;
};

struct entry {
    uint64_t id;
    uint32_t status;
    uint32_t opcode;
    uint32_t number;
};

struct wait {
    int thread;
    int64_t begin_ns;
    int64_t end_ns;
};

static struct queue queues[QUEUES];
static int queue_count;
static struct pair pairs[PAIRS];
static uint64_t traits;
static uint64_t system_call_ns;
static struct wait waits[WAITS];
static uint32_t wait_count;

#define FIELD(type, base, offset) (*(type *)((char *)(base) + (offset)))

static void take(int *lock) {
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0) {
        while (__atomic_load_n(lock, __ATOMIC_RELAXED) != 0) {
        }
    }
}

static void drop(int *lock) {
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

static int has(uint64_t trait) {
    return (traits & trait) != 0;
}

static void enter_kernel(void) {
    uint64_t duration = __atomic_load_n(&system_call_ns, __ATOMIC_RELAXED);
    struct timespec time = { .tv_sec = (time_t)(duration / 1000000000), .tv_nsec = (long)(duration % 1000000000) };
    if (duration != 0) {
        nanosleep(&time, NULL);
    }
}

/* The clock of System.nanoTime. */
static int64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* What calls of the data path wait for is noted: a lock that is not free, or the kernel. */
static void note_wait(int64_t begin_ns) {
    struct wait *wait = &waits[__atomic_fetch_add(&wait_count, 1, __ATOMIC_RELAXED) % WAITS];
    __atomic_store_n(&wait->end_ns, 0, __ATOMIC_RELAXED);
    wait->begin_ns = begin_ns;
    wait->thread = (int)syscall(SYS_gettid);
    __atomic_store_n(&wait->end_ns, now_ns(), __ATOMIC_RELEASE);
}

static void take_in_call(int *lock) {
    if (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0) {
        int64_t begin_ns = now_ns();
        take(lock);
        note_wait(begin_ns);
    }
}

static void enter_kernel_in_call(void) {
    int64_t begin_ns = now_ns();
    enter_kernel();
    note_wait(begin_ns);
}

static struct queue *queue_of(void *cq) {
    return FIELD(struct queue *, cq, CQ_CONTEXT_OFFSET);
}

static struct pair *pair_of(void *qp) {
    return FIELD(struct pair *, qp, QP_CONTEXT_OFFSET);
}

static int answer(int error) {
    return has(ANSWERS_NEGATIVE_ERRORS) ? -error : error;
}

/* Set-up. */

void configure(uint64_t card, uint64_t duration_ns) {
    traits = card;
    __atomic_store_n(&system_call_ns, duration_ns, __ATOMIC_RELAXED);
}

/* The part from some moment on of the wait that a thread was in at a later one; 0 when it was in none. */
int64_t waited(int thread, int64_t from_ns, int64_t at_ns) {
    for (int i = 0; i < WAITS; i++) {
        int64_t end_ns = __atomic_load_n(&waits[i].end_ns, __ATOMIC_ACQUIRE);
        int64_t begin_ns = waits[i].begin_ns;
        if (waits[i].thread == thread && begin_ns <= at_ns && at_ns <= end_ns) {
            return end_ns - (begin_ns > from_ns ? begin_ns : from_ns);
        }
    }
    return 0;
}

/* Their places are not given out again. */
int on_queue(void *cq, int is_single_threaded) {
    int place = __atomic_fetch_add(&queue_count, 1, __ATOMIC_RELAXED);
    if (place >= QUEUES) {
        return ENOMEM;
    }
    queues[place].is_single_threaded = is_single_threaded;
    FIELD(struct queue *, cq, CQ_CONTEXT_OFFSET) = &queues[place];
    return 0;
}

int on_pair(void *qp, void *send_cq, void *receive_cq, int max_sends, int max_receives, int is_datagram) {
    for (int i = 0; i < PAIRS; i++) {
        struct pair *pair = &pairs[i];
        if (!pair->is_used) {
            memset(pair, 0, sizeof *pair);
            pair->is_used = 1;
            pair->is_datagram = is_datagram;
            pair->number = FIELD(uint32_t, qp, QP_NUMBER_OFFSET);
            pair->max_sends = max_sends < PLACES ? (uint32_t)max_sends : PLACES;
            pair->max_receives = max_receives < PLACES ? (uint32_t)max_receives : PLACES;
            __atomic_store_n(&pair->receive_queue, queue_of(receive_cq), __ATOMIC_RELEASE);
            __atomic_store_n(&pair->send_queue, queue_of(send_cq), __ATOMIC_RELEASE);
            FIELD(struct pair *, qp, QP_CONTEXT_OFFSET) = pair;
            return 0;
        }
    }
    return ENOMEM;
}

void resize(void *cq) {
    struct queue *queue = queue_of(cq);
    if (has(RESIZES_UNDER_LOCK)) {
        take(&queue->lock);
    }
    enter_kernel();
    if (has(RESIZES_UNDER_LOCK)) {
        drop(&queue->lock);
    }
}

static void set_error(struct pair *pair) {
    __atomic_store_n(&pair->has_failed, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&pair->is_told, 1, __ATOMIC_RELEASE);
}

/* Some change the state under the locks of posts. */
void fail(void *qp) {
    struct pair *pair = pair_of(qp);
    if (pair == NULL) {
        return;
    }
    if (has(LOCKS_POSTS_WHILE_FAILING)) {
        take(&pair->send_lock);
        take(&pair->receive_lock);
    }
    enter_kernel();
    set_error(pair);
    if (has(LOCKS_POSTS_WHILE_FAILING)) {
        drop(&pair->receive_lock);
        drop(&pair->send_lock);
    }
}

int has_failed(void *qp) {
    struct pair *pair = pair_of(qp);
    if (pair == NULL || !__atomic_load_n(&pair->has_failed, __ATOMIC_ACQUIRE)) {
        return 0;
    }
    __atomic_store_n(&pair->is_told, 1, __ATOMIC_RELEASE);
    return 1;
}

/* The kernel goes first, without a lock, whatever the provider; then some take what is left out of the queues. */
void destroy(void *qp) {
    struct pair *pair = pair_of(qp);
    if (pair == NULL) {
        return;
    }
    enter_kernel();
    struct queue *first = pair->send_queue < pair->receive_queue ? pair->send_queue : pair->receive_queue;
    struct queue *second = pair->send_queue < pair->receive_queue ? pair->receive_queue : pair->send_queue;
    if (has(CLEANS_QUEUES)) {
        take(&first->lock);
        if (second != first) {
            take(&second->lock);
        }
    }
    __atomic_store_n(&pair->send_queue, NULL, __ATOMIC_RELEASE);
    __atomic_store_n(&pair->receive_queue, NULL, __ATOMIC_RELEASE);
    if (has(CLEANS_QUEUES)) {
        if (second != first) {
            drop(&second->lock);
        }
        drop(&first->lock);
    }
    FIELD(struct pair *, qp, QP_CONTEXT_OFFSET) = NULL;
    __atomic_store_n(&pair->is_used, 0, __ATOMIC_RELEASE);
}

/* Posts. */

static int refusal(struct pair *pair) {
    if (!__atomic_load_n(&pair->is_told, __ATOMIC_ACQUIRE)) {
        return 0;
    }
    return has(REFUSES_POSTS_IN_ERROR) ? EIO : has(CALLS_POSTS_IN_ERROR_INVALID) ? EINVAL : 0;
}

static void lock_when_full(struct queue *queue) {
    if (queue != NULL && has(LOCKS_QUEUE_WHEN_FULL)) {
        take_in_call(&queue->lock);
        drop(&queue->lock);
    }
}

/* A place behind those that are about to have theirs, or none. */
static int has_room(struct pair *pair, uint32_t pending) {
    if (pair->head + pending - __atomic_load_n(&pair->tail, __ATOMIC_ACQUIRE) < pair->max_sends) {
        return 1;
    }
    lock_when_full(__atomic_load_n(&pair->send_queue, __ATOMIC_ACQUIRE));
    return 0;
}

static void send_by_kernel(struct pair *pair) {
    if (has(SENDS_ENTER_KERNEL) || (pair->is_datagram && has(DATAGRAMS_ENTER_KERNEL))) {
        enter_kernel_in_call();
    }
}

/* Under the lock of the post, as irdma does it. */
static void flush_by_kernel(struct pair *pair) {
    if (has(ENTERS_KERNEL_IN_ERROR) && __atomic_load_n(&pair->is_told, __ATOMIC_ACQUIRE)) {
        enter_kernel_in_call();
    }
}

int card_post_send(void *qp, void *first, void **refused) {
    struct pair *pair = pair_of(qp);
    int error = pair == NULL ? EINVAL : refusal(pair);
    if (error != 0) {
        *refused = first;
        return answer(error);
    }
    take_in_call(&pair->send_lock);
    for (void *wr = first; wr != NULL && error == 0; wr = FIELD(void *, wr, SEND_NEXT_OFFSET)) {
        if (!has_room(pair, 0)) {
            *refused = wr;
            error = ENOMEM;
        } else {
            pair->ids[pair->head % PLACES] = FIELD(uint64_t, wr, SEND_WR_ID_OFFSET);
            __atomic_store_n(&pair->head, pair->head + 1, __ATOMIC_RELEASE);
            send_by_kernel(pair);
        }
    }
    flush_by_kernel(pair);
    drop(&pair->send_lock);
    return answer(error);
}

int card_post_receive(void *qp, void *first, void **refused) {
    struct pair *pair = pair_of(qp);
    int error = pair == NULL ? EINVAL : refusal(pair);
    if (error != 0) {
        *refused = first;
        return answer(error);
    }
    take_in_call(&pair->receive_lock);
    for (void *wr = first; wr != NULL && error == 0; wr = FIELD(void *, wr, RECEIVE_NEXT_OFFSET)) {
        if (pair->receive_head - __atomic_load_n(&pair->receive_tail, __ATOMIC_ACQUIRE) >= pair->max_receives) {
            lock_when_full(__atomic_load_n(&pair->receive_queue, __ATOMIC_ACQUIRE));
            *refused = wr;
            error = ENOMEM;
        } else {
            pair->receive_ids[pair->receive_head % PLACES] = FIELD(uint64_t, wr, RECEIVE_WR_ID_OFFSET);
            __atomic_store_n(&pair->receive_head, pair->receive_head + 1, __ATOMIC_RELEASE);
        }
    }
    flush_by_kernel(pair);
    drop(&pair->receive_lock);
    return answer(error);
}

/* The same by ibv_qp_ex: the lock is held from the start until the completion. */

void card_start(void *qp) {
    struct pair *pair = pair_of(qp);
    take_in_call(&pair->send_lock);
    pair->built = 0;
    pair->is_full = 0;
}

static void begin(void *qp) {
    struct pair *pair = pair_of(qp);
    if (has_room(pair, pair->built)) {
        pair->ids[(pair->head + pair->built) % PLACES] = FIELD(uint64_t, qp, BUILDER_WR_ID_OFFSET);
        pair->built++;
    } else {
        pair->is_full = 1;
    }
}

void card_write(void *qp, uint32_t key, uint64_t address) {
    (void)key;
    (void)address;
    begin(qp);
}

void card_send(void *qp) {
    begin(qp);
}

int card_complete(void *qp) {
    struct pair *pair = pair_of(qp);
    int error = refusal(pair);
    if (error == 0) {
        error = pair->is_full ? ENOMEM : 0;
    }
    if (error == 0) {
        __atomic_store_n(&pair->head, pair->head + pair->built, __ATOMIC_RELEASE);
        for (uint32_t i = 0; i < pair->built; i++) {
            send_by_kernel(pair);
        }
    }
    flush_by_kernel(pair);
    drop(&pair->send_lock);
    return answer(error);
}

/* Polls. */

static int next_send(struct pair *pair, struct entry *entry) {
    if (__atomic_load_n(&pair->head, __ATOMIC_ACQUIRE) == pair->tail) {
        return 0;
    }
    entry->id = pair->ids[pair->tail % PLACES];
    entry->opcode = SENT;
    entry->number = pair->number;
    entry->status = __atomic_load_n(&pair->has_failed, __ATOMIC_ACQUIRE) ? FLUSHED
        : entry->id == BAD_ID ? REMOTE_ACCESS : SUCCESS;
    if (entry->status == REMOTE_ACCESS) {
        if (has(POLLS_ENTER_KERNEL)) {
            take_in_call(&pair->send_lock);
            take_in_call(&pair->receive_lock);
            enter_kernel_in_call();
            set_error(pair);
            drop(&pair->receive_lock);
            drop(&pair->send_lock);
        }
        __atomic_store_n(&pair->has_failed, 1, __ATOMIC_RELEASE);
    }
    if (has(POLLS_UNDER_SEND_LOCK)) {
        take_in_call(&pair->send_lock);
        drop(&pair->send_lock);
    }
    __atomic_store_n(&pair->tail, pair->tail + 1, __ATOMIC_RELEASE);
    return 1;
}

/* Nobody sends: they come when they are flushed. */
static int next_receive(struct pair *pair, struct entry *entry) {
    if (!__atomic_load_n(&pair->has_failed, __ATOMIC_ACQUIRE)
        || __atomic_load_n(&pair->receive_head, __ATOMIC_ACQUIRE) == pair->receive_tail) {
        return 0;
    }
    entry->id = pair->receive_ids[pair->receive_tail % PLACES];
    entry->opcode = RECEIVED;
    entry->number = pair->number;
    entry->status = FLUSHED;
    __atomic_store_n(&pair->receive_tail, pair->receive_tail + 1, __ATOMIC_RELEASE);
    return 1;
}

static int next(struct queue *queue, struct entry *entry) {
    for (int i = 0; i < PAIRS; i++) {
        struct pair *pair = &pairs[i];
        if ((__atomic_load_n(&pair->send_queue, __ATOMIC_ACQUIRE) == queue && next_send(pair, entry))
            || (__atomic_load_n(&pair->receive_queue, __ATOMIC_ACQUIRE) == queue && next_receive(pair, entry))) {
            return 1;
        }
    }
    return 0;
}

int card_poll_queue(void *cq, int count, char *completions) {
    struct queue *queue = queue_of(cq);
    struct entry entry;
    int taken = 0;
    take_in_call(&queue->lock);
    while (taken < count && next(queue, &entry)) {
        char *completion = completions + (size_t)taken * WC_LENGTH;
        memset(completion, 0, WC_LENGTH);
        FIELD(uint64_t, completion, WC_WR_ID_OFFSET) = entry.id;
        FIELD(uint32_t, completion, WC_STATUS_OFFSET) = entry.status;
        FIELD(uint32_t, completion, WC_OPCODE_OFFSET) = entry.opcode;
        FIELD(uint32_t, completion, WC_NUMBER_OFFSET) = entry.number;
        taken++;
    }
    drop(&queue->lock);
    return taken;
}

static int take_next(void *cq) {
    struct queue *queue = queue_of(cq);
    struct entry entry;
    if (!next(queue, &entry)) {
        return ENOENT;
    }
    FIELD(uint64_t, cq, CQ_WR_ID_OFFSET) = entry.id;
    FIELD(uint32_t, cq, CQ_STATUS_OFFSET) = entry.status;
    queue->opcode = entry.opcode;
    queue->number = entry.number;
    return 0;
}

int card_start_poll(void *cq, void *attributes) {
    struct queue *queue = queue_of(cq);
    (void)attributes;
    int is_locked = has(LOCKS_BATCHES) && !queue->is_single_threaded;
    if (is_locked) {
        take_in_call(&queue->lock);
    }
    int result = take_next(cq);
    queue->is_locked_by_batch = is_locked && result == 0;
    if (is_locked && result != 0) {
        drop(&queue->lock);
    }
    return result;
}

int card_next_poll(void *cq) {
    return take_next(cq);
}

void card_end_poll(void *cq) {
    struct queue *queue = queue_of(cq);
    if (queue->is_locked_by_batch) {
        queue->is_locked_by_batch = 0;
        drop(&queue->lock);
    }
}

int card_read_opcode(void *cq) {
    return (int)queue_of(cq)->opcode;
}

int card_read_queue_pair(void *cq) {
    return (int)queue_of(cq)->number;
}

int card_request_notify(void *cq, int solicited_only) {
    (void)cq;
    (void)solicited_only;
    return 0;
}

/* In place of all that is not used. */
int card_nothing(void) {
    return 0;
}
