/**
 * The machine, what it offers and what it lacks: the devices of both providers, and the doctor's findings.
 */
package io.sluice.samples.machine;
