/*
 * Has libibverbs take every device for one of iWARP, as the kernels of the lab have no software that plays one: preloaded (LD_PRELOAD), it
 * answers for libnl what the kernel says of a device's kind. All else, the connection manager included, goes on as with soft-RoCE.
 *
 *     gcc -shared -fPIC -o iwarp_device.so iwarp_device.c
 */
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>
#include <stdint.h>

uint8_t nla_get_u8(const struct nlattr *attribute);

uint8_t nla_get_u8(const struct nlattr *attribute) {
    if ((attribute->nla_type & NLA_TYPE_MASK) == RDMA_NLDEV_ATTR_DEV_NODE_TYPE)
        return RDMA_NODE_RNIC;
    return *((const uint8_t *)attribute + NLA_HDRLEN);
}
