/**
 * Functions and memory of native libraries, as the rdma provider and the librpma binding share them. The module does
 * not export this room: no public type of an exported one shows a type of it.
 *
 * <p>The reasons: docs/decisions/017-linking-native-calls.md and 025-bindings.md.
 */
package io.sluice.verbs.foreign;
