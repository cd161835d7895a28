package io.sluice.verbs.rdma;

/** The two interfaces by which a queue pair's sends are posted. Any thread. */
public enum PostingInterface {
    /** {@code ibv_post_send} of a request made once: one call for a post. */
    WORK_REQUESTS,
    /** {@code ibv_qp_ex}: start, the operation, its range, complete: four calls for a post, and no request. */
    BUILDER
}
