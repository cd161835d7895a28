/*
 * The other side of ImmediatePeerTest, in C with librdmacm and libibverbs: immediate_peer ADDRESS PORT. It takes one connection, whose
 * private data tell where the peer's bytes may be written, and tells its own in the answer (8 bytes of address and 4 of key, most
 * significant byte first). It prints what two receives bring, sends one SEND_WITH_IMM and one RDMA_WRITE_WITH_IMM, and disconnects.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>

#define LIMIT_SECONDS 120
#define LENGTH 64
#define RECEIVES 2
#define SENT_IMMEDIATE 0x05060708u
#define WRITTEN_IMMEDIATE 0xa1b2c3d4u

struct place {
    uint64_t address;
    uint32_t key;
} __attribute__((packed));

static char buffer[LENGTH];

static void check(int is_well, const char *what) {
    if (!is_well) {
        perror(what);
        exit(1);
    }
}

static struct rdma_cm_id *accept_one(struct rdma_cm_id *listener, struct ibv_mr **region, struct place *peer) {
    struct place own;
    struct rdma_conn_param parameters = {.private_data = &own, .private_data_len = sizeof(own), .rnr_retry_count = 7};
    struct rdma_cm_id *id;
    check(rdma_get_request(listener, &id) == 0, "rdma_get_request");
    check(id->event->param.conn.private_data_len >= sizeof(*peer), "private data of the request");
    memcpy(peer, id->event->param.conn.private_data, sizeof(*peer));
    *region = rdma_reg_write(id, buffer, LENGTH);
    check(*region != NULL, "rdma_reg_write");
    for (int i = 0; i < RECEIVES; i++) {
        check(rdma_post_recv(id, NULL, buffer, LENGTH, *region) == 0, "rdma_post_recv");
    }
    own.address = htobe64((uint64_t)(uintptr_t)buffer);
    own.key = htobe32((*region)->rkey);
    check(rdma_accept(id, &parameters) == 0, "rdma_accept");
    return id;
}

static void receive(struct rdma_cm_id *id) {
    struct ibv_wc completion;
    check(rdma_get_recv_comp(id, &completion) == 1, "rdma_get_recv_comp");
    if (completion.status != IBV_WC_SUCCESS) {
        fprintf(stderr, "receive: %s\n", ibv_wc_status_str(completion.status));
        exit(1);
    }
    printf("%s imm=%08x length=%u\n", completion.opcode == IBV_WC_RECV_RDMA_WITH_IMM ? "RECV_RDMA_WITH_IMM" : "RECV",
        completion.wc_flags & IBV_WC_WITH_IMM ? ntohl(completion.imm_data) : 0, completion.byte_len);
}

/* Both by one call, as a chain. */
static void send_both(struct rdma_cm_id *id, const struct ibv_mr *region, const struct place *peer) {
    struct ibv_sge bytes = {.addr = (uintptr_t)buffer, .length = LENGTH, .lkey = region->lkey};
    struct ibv_send_wr *bad;
    struct ibv_send_wr write = {.sg_list = &bytes, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE_WITH_IMM, .send_flags = IBV_SEND_SIGNALED,
        .imm_data = htonl(WRITTEN_IMMEDIATE)};
    struct ibv_send_wr send = {.next = &write, .sg_list = &bytes, .num_sge = 1, .opcode = IBV_WR_SEND_WITH_IMM,
        .send_flags = IBV_SEND_SIGNALED, .imm_data = htonl(SENT_IMMEDIATE)};
    struct ibv_wc completion;
    write.wr.rdma.remote_addr = be64toh(peer->address);
    write.wr.rdma.rkey = be32toh(peer->key);
    check(ibv_post_send(id->qp, &send, &bad) == 0, "ibv_post_send");
    for (int i = 0; i < 2; i++) {
        check(rdma_get_send_comp(id, &completion) == 1, "rdma_get_send_comp");
        if (completion.status != IBV_WC_SUCCESS) {
            fprintf(stderr, "send: %s\n", ibv_wc_status_str(completion.status));
            exit(1);
        }
    }
}

int main(int argc, char **argv) {
    struct rdma_addrinfo hints = {.ai_flags = RAI_PASSIVE, .ai_port_space = RDMA_PS_TCP};
    struct ibv_qp_init_attr attributes = {.cap = {.max_send_wr = 2, .max_recv_wr = RECEIVES, .max_send_sge = 1, .max_recv_sge = 1},
        .qp_type = IBV_QPT_RC};
    struct rdma_addrinfo *address;
    struct rdma_cm_id *listener;
    struct rdma_cm_id *id;
    struct ibv_mr *region;
    struct place peer;
    if (argc != 3) {
        fprintf(stderr, "usage: immediate_peer ADDRESS PORT\n");
        return 2;
    }
    alarm(LIMIT_SECONDS);
    check(rdma_getaddrinfo(argv[1], argv[2], &hints, &address) == 0, "rdma_getaddrinfo");
    check(rdma_create_ep(&listener, address, NULL, &attributes) == 0, "rdma_create_ep");
    check(rdma_listen(listener, 1) == 0, "rdma_listen");
    id = accept_one(listener, &region, &peer);
    for (int i = 0; i < RECEIVES; i++) {
        receive(id);
    }
    send_both(id, region, &peer);
    /* Not before both have completed: what the peer has seen it may not have acknowledged. */
    check(rdma_disconnect(id) == 0, "rdma_disconnect");
    rdma_dereg_mr(region);
    rdma_destroy_ep(id);
    rdma_destroy_ep(listener);
    rdma_freeaddrinfo(address);
    return 0;
}
