/** Functions and memory of native libraries, as the rdma provider and the librpma binding share them. */
package io.sluice.verbs.foreign;
