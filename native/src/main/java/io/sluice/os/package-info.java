/** Processor affinity and isolation, which the data path needs from the operating system. */
package io.sluice.os;
