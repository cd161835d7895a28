/**
 * The one door to threads, clocks, randomness, files and local sockets, so that a test can replace all of them.
 *
 * <p>The reasons: docs/decisions/001-environment.md.
 */
package io.sluice.environment;
