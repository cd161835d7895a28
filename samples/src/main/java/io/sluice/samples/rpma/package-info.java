/**
 * Messages over librpma: a connection with its window of receives, for {@code sluice rpma-ping-pong}.
 */
package io.sluice.samples.rpma;
