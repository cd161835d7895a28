/**
 * Measures a program's first seconds: how soon its round trips are as fast as later, with and without a cache of loaded
 * classes and profiles (JEP 483, JEP 515).
 */
package io.sluice.perf.start;
