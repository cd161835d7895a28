/*
 * The other side of the tests of io.sluice.rpma, in C with librpma, as server or as client of one connection:
 *
 *     rpma_peer server ADDRESS PORT FLOW
 *     rpma_peer client ADDRESS PORT FLOW [COUNT]
 *
 * A server prints the line "ready" when it listens. At its end either side prints one line "FLOW: DETAIL" and exits with 0; what is not as
 * described here it says on stderr, and exits with 1. It waits for nothing longer than 30 s.
 *
 * Private data are one byte with the length of what follows, since the connection manager pads them. A client sends its own with the
 * request, a server with the answer:
 *
 *     connection      a text without a terminator: "Hello server!" from the client, "Hello client!" from the server
 *     read, write     from the server the descriptor of its region, from the client none
 *     imm             from each side the descriptor of its region
 *     others          none
 *
 * Numbers are little-endian. A pattern of N bytes is byte i = (7 i + 3) mod 256. A receive takes 64 bytes.
 *
 *     connection      Nothing else. DETAIL is the other side's text.
 *     messages        COUNT times (10) the client sends 8 bytes with a number, 0 first, and the server answers with that number plus one,
 *                     which the client sends next. Receives are posted before the connection is there, and again before a side sends.
 *                     DETAIL is the count. All completions are in the main completion queue.
 *     rcq             The same; each side has a receive completion queue.
 *     scch            The same; both completion queues share a channel.
 *     srq             The same; the server has a shared receive queue with a completion queue of its own.
 *     read            The client reads a pattern of 1024 bytes at offset 0 of the server's region (READ_SRC). DETAIL is "ok".
 *     write           The client writes a pattern of 1024 bytes to offset 0 of the server's region (WRITE_DST, FLUSH_TYPE_VISIBILITY, 1032
 *                     bytes or more), flushes it, writes the number 0x0102030405060708 atomically to offset 1024, and flushes that. The
 *                     server looks at them when the connection is closed. DETAIL is "ok".
 *     imm             The client sends a pattern of 64 bytes with the immediate 0x01020304, and then writes a pattern of 16 bytes with the
 *                     immediate 0x8090a0b0 to offset 0 of the server's region (WRITE_DST). When it has both, the server does the same the
 *                     other way, with 0x05060708 and 0xa1b2c3d4. DETAIL is the two immediates that came, in hexadecimal.
 *
 * The end: in connection, read and write the client disconnects when its requests are complete. Else the client, when it has all its
 * completions, sends 8 bytes of ones and waits for the end, and the server disconnects when it has those and its own completions; so nobody
 * waits for the acknowledgement of somebody who is gone. Whoever learns of the end disconnects, too.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <librpma.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WAIT_LIMIT_MS 30000
#define CONNECT_LIMIT_MS 10000
/* For calls that wait by themselves, which none should; SIGALRM ends the process. */
#define LIMIT_SECONDS 300
#define DEFAULT_COUNT 10
#define QUEUE_SIZE 16
#define PRIVATE_DATA_SIZE 56

/* The region. What the other side reads or writes is at its beginning. */
#define REGION_SIZE 4096
#define FLAG_OFFSET 1024
#define LOCAL_OFFSET 2048
#define RECEIVES_OFFSET 3072
#define PATTERN_LENGTH 1024
#define RECEIVE_LENGTH 64
#define WRITTEN_LENGTH 16

#define FLAG 0x0102030405060708u
#define LAST_MESSAGE UINT64_MAX
#define LAST_REQUEST ((void *)(uintptr_t)0x1a57)
#define MESSAGES (RPMA_MR_USAGE_SEND | RPMA_MR_USAGE_RECV)
#define WRITES (RPMA_MR_USAGE_WRITE_SRC | RPMA_MR_USAGE_WRITE_DST)
#define REACHABLE (RPMA_MR_USAGE_READ_SRC | RPMA_MR_USAGE_WRITE_DST)

#define RECEIVE_OFFSET(slot) (RECEIVES_OFFSET + (slot) * RECEIVE_LENGTH)
#define PATTERN(i) ((char)(7 * (i) + 3))
#define check(call) check_result((call), #call)

enum role { SERVER, CLIENT, ROLES };
enum kind { SENT, RECEIVED, KINDS };

struct side;

struct flow {
    const char *name;
    /* While the sides are connected, and afterwards; NULL for nothing. */
    void (*run[ROLES])(struct side *);
    void (*check_at_end[ROLES])(struct side *);
    int usage[ROLES];
    int receives[ROLES];
    bool has_receive_queue;
    bool shares_channel;
    bool server_shares_receives;
};

struct side {
    const struct flow *flow;
    enum role role;
    uint64_t count;
    char detail[PRIVATE_DATA_SIZE];
    char *memory;
    struct rpma_peer *peer;
    struct rpma_mr_local *region;
    struct rpma_srq *shared;
    struct rpma_conn_cfg *configuration;
    struct rpma_conn *connection;
    struct rpma_mr_remote *remote;
    uint32_t queue_pair;
    struct rpma_cq *queues[KINDS];
    /* Completions that came while one of the other kind was awaited, in a ring. */
    struct ibv_wc early[KINDS][QUEUE_SIZE];
    unsigned head[KINDS];
    unsigned tail[KINDS];
};

static void require(bool is_well, const char *format, ...) {
    va_list arguments;
    if (!is_well) {
        va_start(arguments, format);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
        fputc('\n', stderr);
        exit(1);
    }
}

static void check_result(int result, const char *call) {
    require(result == 0, "%s: %s, errno %d (%s)", call, rpma_err_2str(result), errno, strerror(errno));
}

static void await_readable(int fd, const char *what) {
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    require(poll(&wait, 1, WAIT_LIMIT_MS) == 1, "no %s within %d ms", what, WAIT_LIMIT_MS);
}

static void await_event(struct side *side, enum rpma_conn_event expected) {
    enum rpma_conn_event event = RPMA_CONN_UNDEFINED;
    int fd;
    check(rpma_conn_get_event_fd(side->connection, &fd));
    await_readable(fd, "connection event");
    check(rpma_conn_next_event(side->connection, &event));
    require(event == expected, "%s, and not %s", rpma_utils_conn_event_2str(event), rpma_utils_conn_event_2str(expected));
}

static void await_completion(struct side *side, enum kind kind) {
    struct rpma_cq *ready = NULL;
    bool is_receive;
    int fd;
    if (side->flow->shares_channel) {
        check(rpma_conn_get_compl_fd(side->connection, &fd));
        await_readable(fd, "completion in the shared channel");
        check(rpma_conn_wait(side->connection, 0, &ready, &is_receive));
        require(ready == side->queues[is_receive ? RECEIVED : SENT], "rpma_conn_wait: the wrong completion queue");
    } else {
        check(rpma_cq_get_fd(side->queues[kind], &fd));
        await_readable(fd, kind == SENT ? "completion of a request" : "completion of a receive");
        check(rpma_cq_wait(side->queues[kind]));
    }
}

/* The next completion of a kind, whose queue may be that of the other one, too. */
static struct ibv_wc take(struct side *side, enum kind kind) {
    struct ibv_wc completion;
    while (side->head[kind] == side->tail[kind]) {
        int result = rpma_cq_get_wc(side->queues[kind], 1, &completion, NULL);
        if (result == RPMA_E_NO_COMPLETION) {
            await_completion(side, kind);
            continue;
        }
        check_result(result, "rpma_cq_get_wc");
        require(completion.status == IBV_WC_SUCCESS, "completion: %s", ibv_wc_status_str(completion.status));
        require(completion.qp_num == side->queue_pair, "completion of another queue pair, %u", completion.qp_num);
        enum kind found = completion.opcode & IBV_WC_RECV ? RECEIVED : SENT;
        side->early[found][side->tail[found]++ % QUEUE_SIZE] = completion;
    }
    return side->early[kind][side->head[kind]++ % QUEUE_SIZE];
}

/* Before the connection is there by its request, else by itself. */
static void receive(struct side *side, struct rpma_conn_req *request, uint64_t slot) {
    const void *context = (const void *)(uintptr_t)slot;
    if (side->shared != NULL) {
        check(rpma_srq_recv(side->shared, side->region, RECEIVE_OFFSET(slot), RECEIVE_LENGTH, context));
    } else if (request != NULL) {
        check(rpma_conn_req_recv(request, side->region, RECEIVE_OFFSET(slot), RECEIVE_LENGTH, context));
    } else {
        check(rpma_recv(side->connection, side->region, RECEIVE_OFFSET(slot), RECEIVE_LENGTH, context));
    }
}

static void send_number(struct side *side, uint64_t number) {
    uint64_t bytes = htole64(number);
    memcpy(side->memory + LOCAL_OFFSET, &bytes, sizeof(bytes));
    check(rpma_send(side->connection, side->region, LOCAL_OFFSET, sizeof(bytes), RPMA_F_COMPLETION_ALWAYS, NULL));
}

/* The number of the next message, whose receive is posted again. */
static uint64_t receive_number(struct side *side) {
    struct ibv_wc completion = take(side, RECEIVED);
    uint64_t bytes;
    require(completion.opcode == IBV_WC_RECV && completion.byte_len == sizeof(bytes), "opcode %d with %u bytes is no number",
        completion.opcode, completion.byte_len);
    memcpy(&bytes, side->memory + RECEIVE_OFFSET(completion.wr_id), sizeof(bytes));
    receive(side, NULL, completion.wr_id);
    return le64toh(bytes);
}

static void set_pattern(char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        bytes[i] = PATTERN(i);
    }
}

static void check_pattern(const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        require(bytes[i] == PATTERN(i), "byte %zu of %zu is %d, and not %d", i, length, bytes[i], PATTERN(i));
    }
}

static struct rpma_conn_private_data private_data(const struct side *side) {
    struct rpma_conn_private_data data;
    check(rpma_conn_get_private_data(side->connection, &data));
    require(data.ptr != NULL && data.len > *(uint8_t *)data.ptr, "private data of %d bytes", data.len);
    return (struct rpma_conn_private_data){.ptr = (char *)data.ptr + 1, .len = *(uint8_t *)data.ptr};
}

static void run_connection(struct side *side) {
    struct rpma_conn_private_data data = private_data(side);
    snprintf(side->detail, sizeof(side->detail), "%.*s", data.len, (char *)data.ptr);
}

static void serve_messages(struct side *side) {
    uint64_t number;
    while ((number = receive_number(side)) != LAST_MESSAGE) {
        send_number(side, number + 1);
        take(side, SENT);
        side->count++;
    }
    snprintf(side->detail, sizeof(side->detail), "%llu", (unsigned long long)side->count);
}

static void use_messages(struct side *side) {
    for (uint64_t number = 0; number < side->count; number++) {
        send_number(side, number);
        require(receive_number(side) == number + 1, "another answer to %llu", (unsigned long long)number);
        take(side, SENT);
    }
    snprintf(side->detail, sizeof(side->detail), "%llu", (unsigned long long)side->count);
}

static void use_read(struct side *side) {
    check(rpma_read(side->connection, side->region, LOCAL_OFFSET, side->remote, 0, PATTERN_LENGTH, RPMA_F_COMPLETION_ALWAYS, NULL));
    require(take(side, SENT).opcode == IBV_WC_RDMA_READ, "a read did not complete as one");
    check_pattern(side->memory + LOCAL_OFFSET, PATTERN_LENGTH);
}

static void check_written(struct side *side) {
    uint64_t flag;
    check_pattern(side->memory, PATTERN_LENGTH);
    memcpy(&flag, side->memory + FLAG_OFFSET, sizeof(flag));
    require(le64toh(flag) == FLAG, "the flag is %llx", (unsigned long long)le64toh(flag));
}

/* With the completion of the last request only: before it there is one of an error at most. */
static void use_write(struct side *side) {
    uint64_t flag = htole64(FLAG);
    size_t size;
    int type;
    check(rpma_mr_remote_get_size(side->remote, &size));
    check(rpma_mr_remote_get_flush_type(side->remote, &type));
    require(size >= FLAG_OFFSET + sizeof(flag), "the server's region has %zu bytes", size);
    require(type == RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY, "flush type %d of the server's region", type);
    set_pattern(side->memory + LOCAL_OFFSET, PATTERN_LENGTH);
    check(rpma_write(side->connection, side->remote, 0, side->region, LOCAL_OFFSET, PATTERN_LENGTH, RPMA_F_COMPLETION_ON_ERROR, NULL));
    check(rpma_flush(side->connection, side->remote, 0, PATTERN_LENGTH, RPMA_FLUSH_TYPE_VISIBILITY, RPMA_F_COMPLETION_ON_ERROR, NULL));
    check(rpma_atomic_write(side->connection, side->remote, FLAG_OFFSET, (const char *)&flag, RPMA_F_COMPLETION_ON_ERROR, NULL));
    check(rpma_flush(side->connection, side->remote, FLAG_OFFSET, sizeof(flag), RPMA_FLUSH_TYPE_VISIBILITY, RPMA_F_COMPLETION_ALWAYS,
        LAST_REQUEST));
    require(take(side, SENT).wr_id == (uintptr_t)LAST_REQUEST, "a completion of something else than the last flush");
}

static void send_immediates(struct side *side, uint32_t sent, uint32_t written) {
    set_pattern(side->memory + LOCAL_OFFSET, RECEIVE_LENGTH);
    check(rpma_send_with_imm(side->connection, side->region, LOCAL_OFFSET, RECEIVE_LENGTH, RPMA_F_COMPLETION_ALWAYS, sent, NULL));
    check(rpma_write_with_imm(side->connection, side->remote, 0, side->region, LOCAL_OFFSET, WRITTEN_LENGTH, RPMA_F_COMPLETION_ALWAYS,
        written, NULL));
    require(take(side, SENT).opcode == IBV_WC_SEND, "a send did not complete as one");
    require(take(side, SENT).opcode == IBV_WC_RDMA_WRITE, "a write did not complete as one");
}

static void receive_immediate(struct side *side, enum ibv_wc_opcode opcode, uint32_t length, uint32_t immediate) {
    struct ibv_wc completion = take(side, RECEIVED);
    require(completion.opcode == opcode, "opcode %d, and not %d", completion.opcode, opcode);
    require(completion.byte_len == length, "%u bytes, and not %u", completion.byte_len, length);
    require(completion.wc_flags & IBV_WC_WITH_IMM, "no immediate");
    require(ntohl(completion.imm_data) == immediate, "immediate %08x, and not %08x", ntohl(completion.imm_data), immediate);
    check_pattern(side->memory + (opcode == IBV_WC_RECV ? RECEIVE_OFFSET(completion.wr_id) : 0), length);
}

static void receive_immediates(struct side *side, uint32_t sent, uint32_t written) {
    receive_immediate(side, IBV_WC_RECV, RECEIVE_LENGTH, sent);
    receive_immediate(side, IBV_WC_RECV_RDMA_WITH_IMM, WRITTEN_LENGTH, written);
    snprintf(side->detail, sizeof(side->detail), "%08x %08x", sent, written);
}

static void serve_immediates(struct side *side) {
    receive_immediates(side, 0x01020304, 0x8090a0b0);
    send_immediates(side, 0x05060708, 0xa1b2c3d4);
    require(receive_number(side) == LAST_MESSAGE, "another message than the last one");
}

static void use_immediates(struct side *side) {
    send_immediates(side, 0x01020304, 0x8090a0b0);
    receive_immediates(side, 0x05060708, 0xa1b2c3d4);
}

#define PING_PONG .run = {serve_messages, use_messages}, .usage = {MESSAGES, MESSAGES}, .receives = {1, 1}

static const struct flow flows[] = {
    {.name = "connection", .run = {run_connection, run_connection}},
    {.name = "messages", PING_PONG},
    {.name = "rcq", PING_PONG, .has_receive_queue = true},
    {.name = "scch", PING_PONG, .has_receive_queue = true, .shares_channel = true},
    {.name = "srq", PING_PONG, .server_shares_receives = true},
    {.name = "read", .run = {NULL, use_read}, .usage = {RPMA_MR_USAGE_READ_SRC, RPMA_MR_USAGE_READ_DST}},
    {.name = "write", .run = {NULL, use_write}, .check_at_end = {check_written, NULL},
        .usage = {RPMA_MR_USAGE_WRITE_DST | RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY, RPMA_MR_USAGE_WRITE_SRC}},
    {.name = "imm", .run = {serve_immediates, use_immediates}, .usage = {MESSAGES | WRITES, MESSAGES | WRITES}, .receives = {3, 2}},
};

static void make_peer(struct side *side, const char *address) {
    int usage = side->flow->usage[side->role];
    struct ibv_context *device;
    check(rpma_utils_get_ibv_context(address, side->role == SERVER ? RPMA_UTIL_IBV_CONTEXT_LOCAL : RPMA_UTIL_IBV_CONTEXT_REMOTE, &device));
    check(rpma_peer_new(device, &side->peer));
    require((side->memory = aligned_alloc(REGION_SIZE, REGION_SIZE)) != NULL, "no memory");
    memset(side->memory, 0, REGION_SIZE);
    if (usage & RPMA_MR_USAGE_READ_SRC) {
        set_pattern(side->memory, PATTERN_LENGTH);
    }
    if (usage != 0) {
        check(rpma_mr_reg(side->peer, side->memory, REGION_SIZE, usage, &side->region));
    }
}

static void configure(struct side *side) {
    check(rpma_conn_cfg_new(&side->configuration));
    check(rpma_conn_cfg_set_timeout(side->configuration, CONNECT_LIMIT_MS));
    check(rpma_conn_cfg_set_cq_size(side->configuration, QUEUE_SIZE));
    check(rpma_conn_cfg_set_rcq_size(side->configuration, side->flow->has_receive_queue ? QUEUE_SIZE : 0));
    check(rpma_conn_cfg_set_compl_channel(side->configuration, side->flow->shares_channel));
    if (side->role == SERVER && side->flow->server_shares_receives) {
        check(rpma_srq_new(side->peer, NULL, &side->shared));
        check(rpma_conn_cfg_set_srq(side->configuration, side->shared));
    }
}

/* Receives complete in the main completion queue when they have none of their own. */
static void find_queues(struct side *side) {
    check(rpma_conn_get_qp_num(side->connection, &side->queue_pair));
    check(rpma_conn_get_cq(side->connection, &side->queues[SENT]));
    check(rpma_conn_get_rcq(side->connection, &side->queues[RECEIVED]));
    require((side->queues[RECEIVED] != NULL) == side->flow->has_receive_queue, "a receive completion queue more or less");
    if (side->shared != NULL) {
        check(rpma_srq_get_rcq(side->shared, &side->queues[RECEIVED]));
    } else if (side->queues[RECEIVED] == NULL) {
        side->queues[RECEIVED] = side->queues[SENT];
    }
}

static void establish(struct side *side, struct rpma_conn_req *request) {
    char bytes[PRIVATE_DATA_SIZE];
    struct rpma_conn_private_data data = {.ptr = bytes};
    size_t length = 0;
    for (int slot = 0; slot < side->flow->receives[side->role]; slot++) {
        receive(side, request, slot);
    }
    if (side->flow->run[SERVER] == run_connection) {
        length = sprintf(bytes + 1, "Hello %s!", side->role == SERVER ? "client" : "server");
    } else if (side->flow->usage[side->role] & REACHABLE) {
        check(rpma_mr_get_descriptor_size(side->region, &length));
        require(length < sizeof(bytes), "a descriptor has %zu bytes", length);
        check(rpma_mr_get_descriptor(side->region, bytes + 1));
    }
    bytes[0] = (char)length;
    data.len = (uint8_t)(length + 1);
    check(rpma_conn_req_connect(&request, length == 0 ? NULL : &data, &side->connection));
    await_event(side, RPMA_CONN_ESTABLISHED);
    find_queues(side);
    if (side->flow->usage[side->role == SERVER ? CLIENT : SERVER] & REACHABLE) {
        data = private_data(side);
        check(rpma_mr_remote_from_descriptor(data.ptr, data.len, &side->remote));
    }
}

/* First the client where there are no messages, else the server, when it has got the last one. */
static void disconnect(struct side *side) {
    bool has_messages = side->flow->receives[SERVER] > 0;
    bool is_first = side->role == (has_messages ? SERVER : CLIENT);
    if (has_messages && !is_first) {
        send_number(side, LAST_MESSAGE);
    }
    if (is_first) {
        check(rpma_conn_disconnect(side->connection));
    }
    await_event(side, RPMA_CONN_CLOSED);
    if (!is_first) {
        check(rpma_conn_disconnect(side->connection));
    }
}

static void run(struct side *side) {
    if (side->flow->run[side->role] != NULL) {
        side->flow->run[side->role](side);
    }
    disconnect(side);
    if (side->flow->check_at_end[side->role] != NULL) {
        side->flow->check_at_end[side->role](side);
    }
}

static void serve(struct side *side, const char *address, const char *port) {
    struct rpma_conn_req *request;
    struct rpma_ep *endpoint;
    int fd;
    check(rpma_ep_listen(side->peer, address, port, &endpoint));
    puts("ready");
    check(rpma_ep_get_fd(endpoint, &fd));
    await_readable(fd, "connection request");
    check(rpma_ep_next_conn_req(endpoint, side->configuration, &request));
    establish(side, request);
    run(side);
    check(rpma_ep_shutdown(&endpoint));
}

static void use(struct side *side, const char *address, const char *port) {
    struct rpma_conn_req *request;
    check(rpma_conn_req_new(side->peer, address, port, side->configuration, &request));
    establish(side, request);
    run(side);
}

static void leave(struct side *side) {
    check(rpma_mr_remote_delete(&side->remote));
    check(rpma_conn_delete(&side->connection));
    check(rpma_conn_cfg_delete(&side->configuration));
    check(rpma_srq_delete(&side->shared));
    check(rpma_mr_dereg(&side->region));
    check(rpma_peer_delete(&side->peer));
    free(side->memory);
}

int main(int argc, char **argv) {
    static struct side side = {.detail = "ok"};
    require(argc == 5 || argc == 6, "usage: rpma_peer server|client ADDRESS PORT FLOW [COUNT]");
    for (size_t i = 0; i < sizeof(flows) / sizeof(flows[0]); i++) {
        if (strcmp(argv[4], flows[i].name) == 0) {
            side.flow = &flows[i];
        }
    }
    require(side.flow != NULL, "no flow %s", argv[4]);
    side.role = strcmp(argv[1], "server") == 0 ? SERVER : CLIENT;
    require(side.role == SERVER || strcmp(argv[1], "client") == 0, "%s is neither server nor client", argv[1]);
    setvbuf(stdout, NULL, _IOLBF, 0);
    alarm(LIMIT_SECONDS);
    make_peer(&side, argv[2]);
    configure(&side);
    if (side.role == SERVER) {
        serve(&side, argv[2], argv[3]);
    } else {
        side.count = argc == 6 ? strtoull(argv[5], NULL, 10) : DEFAULT_COUNT;
        use(&side, argv[2], argv[3]);
    }
    leave(&side);
    printf("%s: %s\n", side.flow->name, side.detail);
    return 0;
}
