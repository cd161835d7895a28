/*
 * Functions of the shape of ibv_post_send, and a loop that calls them through a pointer, as libibverbs does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef int (*post)(uint64_t *queue, uint64_t work, uint64_t *refused);

/* A few stores, as into a device's memory. */
int stores(uint64_t *queue, uint64_t work, uint64_t *refused) {
    queue[0] = work;
    queue[1] = queue[1] + 1;
    *refused = 0;
    return 0;
}

/* The shortest system call. */
int system_call(uint64_t *queue, uint64_t work, uint64_t *refused) {
    queue[0] = work;
    *refused = 0;
    return syscall(SYS_getppid) < 0;
}

/* A system call in which the thread loses its processor for so many nanoseconds. */
int slow_system_call(uint64_t *queue, uint64_t work, uint64_t *refused) {
    struct timespec time = { .tv_sec = 0, .tv_nsec = (long)work };
    queue[1] = queue[1] + 1;
    *refused = 0;
    return nanosleep(&time, NULL);
}

/*
 * Two calls of a card with the locks of mlx5's completion queues: a resize holds the queue's lock in a system call of so
 * many nanoseconds, and a post to a full send queue takes the lock, spinning, and is refused.
 */
static void take(uint64_t *lock) {
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0) {
        while (__atomic_load_n(lock, __ATOMIC_RELAXED) != 0) {
        }
    }
}

int resize(uint64_t *queue, uint64_t work, uint64_t *refused) {
    struct timespec time = { .tv_sec = 0, .tv_nsec = (long)work };
    take(&queue[2]);
    int result = nanosleep(&time, NULL);
    __atomic_store_n(&queue[2], 0, __ATOMIC_RELEASE);
    *refused = 0;
    return result;
}

int post_to_full(uint64_t *queue, uint64_t work, uint64_t *refused) {
    take(&queue[2]);
    __atomic_store_n(&queue[2], 0, __ATOMIC_RELEASE);
    *refused = work;
    return ENOMEM;
}

/* As many calls; the sum of what they return. */
int64_t repeat(post function, uint64_t *queue, int64_t count) {
    uint64_t refused = 0;
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++) {
        sum += function(queue, (uint64_t)i, &refused);
    }
    return sum;
}
