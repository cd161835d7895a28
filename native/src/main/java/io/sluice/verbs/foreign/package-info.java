/**
 * Functions and memory of native libraries, as the rdma provider and the librpma binding share them.
 *
 * <p>The reasons: docs/decisions/017-linking-native-calls.md and 025-bindings.md.
 */
package io.sluice.verbs.foreign;
