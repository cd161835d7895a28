/* What the bindings are made from: libibverbs and librdmacm in one run, because they share structs. */
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
