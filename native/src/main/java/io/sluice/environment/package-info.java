/** The one door to threads, clocks, randomness, files and local sockets, so that a test can replace all of them. */
package io.sluice.environment;
