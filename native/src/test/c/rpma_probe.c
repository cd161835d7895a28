/*
 * Prints what the C compiler makes of the struct and the constants of librpma that the bindings use, as abi_probe.c does for those of
 * rdma-core; what it printed elsewhere is src/test/resources/io/sluice/rpma/abi-x86_64.txt.
 */
#include <stddef.h>
#include <stdio.h>
#include <librpma.h>

#define TYPE(kind, name) printf("%s %zu\n", #name, sizeof(kind name))
#define FIELD(kind, name, field) printf("%s.%s %zu\n", #name, #field, offsetof(kind name, field))
#define CONSTANT(name) printf("%s %lld\n", #name, (long long)(name))

static void types(void) {
    TYPE(struct, rpma_conn_private_data);
    FIELD(struct, rpma_conn_private_data, ptr);
    FIELD(struct, rpma_conn_private_data, len);
}

static void constants(void) {
    CONSTANT(RPMA_ATOMIC_WRITE_ALIGNMENT);
    CONSTANT(RPMA_CONN_CLOSED);
    CONSTANT(RPMA_CONN_ESTABLISHED);
    CONSTANT(RPMA_CONN_LOST);
    CONSTANT(RPMA_CONN_REJECTED);
    CONSTANT(RPMA_CONN_UNDEFINED);
    CONSTANT(RPMA_CONN_UNREACHABLE);
    CONSTANT(RPMA_DEFAULT_TIMEOUT_MS);
    CONSTANT(RPMA_E_AGAIN);
    CONSTANT(RPMA_E_INVAL);
    CONSTANT(RPMA_E_NOMEM);
    CONSTANT(RPMA_E_NOSUPP);
    CONSTANT(RPMA_E_NOT_SHARED_CHNL);
    CONSTANT(RPMA_E_NO_COMPLETION);
    CONSTANT(RPMA_E_NO_EVENT);
    CONSTANT(RPMA_E_PROVIDER);
    CONSTANT(RPMA_E_SHARED_CHANNEL);
    CONSTANT(RPMA_E_UNKNOWN);
    CONSTANT(RPMA_FLUSH_TYPE_PERSISTENT);
    CONSTANT(RPMA_FLUSH_TYPE_VISIBILITY);
    CONSTANT(RPMA_F_COMPLETION_ALWAYS);
    CONSTANT(RPMA_F_COMPLETION_ON_ERROR);
    CONSTANT(RPMA_LOG_DISABLED);
    CONSTANT(RPMA_LOG_LEVEL_DEBUG);
    CONSTANT(RPMA_LOG_LEVEL_ERROR);
    CONSTANT(RPMA_LOG_LEVEL_FATAL);
    CONSTANT(RPMA_LOG_LEVEL_INFO);
    CONSTANT(RPMA_LOG_LEVEL_NOTICE);
    CONSTANT(RPMA_LOG_LEVEL_WARNING);
    CONSTANT(RPMA_LOG_THRESHOLD);
    CONSTANT(RPMA_LOG_THRESHOLD_AUX);
    CONSTANT(RPMA_LOG_THRESHOLD_MAX);
    CONSTANT(RPMA_MR_USAGE_FLUSH_TYPE_PERSISTENT);
    CONSTANT(RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY);
    CONSTANT(RPMA_MR_USAGE_READ_DST);
    CONSTANT(RPMA_MR_USAGE_READ_SRC);
    CONSTANT(RPMA_MR_USAGE_RECV);
    CONSTANT(RPMA_MR_USAGE_SEND);
    CONSTANT(RPMA_MR_USAGE_WRITE_DST);
    CONSTANT(RPMA_MR_USAGE_WRITE_SRC);
    CONSTANT(RPMA_UTIL_IBV_CONTEXT_LOCAL);
    CONSTANT(RPMA_UTIL_IBV_CONTEXT_REMOTE);
    CONSTANT(RPMA_W_WAIT_FOR_COMPLETION);
}

int main(void) {
    types();
    constants();
    return 0;
}
