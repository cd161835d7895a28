/** Counters of the transport and the reasons for which links break. */
package io.sluice.transport.status;
