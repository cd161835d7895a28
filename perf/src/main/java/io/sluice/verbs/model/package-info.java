/** A door into the models of cards for benchmarks: their data path in C, which critical calls can call. */
package io.sluice.verbs.model;
