/**
 * Programs to read and the {@code sluice} command line.
 */
package io.sluice.samples;
