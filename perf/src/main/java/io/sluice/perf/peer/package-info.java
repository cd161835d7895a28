/**
 * The systems under measurement behind one small interface: a new one is one class.
 */
package io.sluice.perf.peer;
