/**
 * What both halves of a link share: work-request ids, send-queue accounts, how full completion queues are found, and
 * the guards of memory in use.
 */
package io.sluice.transport.buffer;
