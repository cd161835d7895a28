/**
 * Runs measurements in fresh processes, interleaved, each between two looks at the state of the machine.
 */
package io.sluice.perf.rig;
