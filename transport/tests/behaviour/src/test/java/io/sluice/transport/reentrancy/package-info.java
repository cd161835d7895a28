/** Each call of the public API from inside each callback, in a JVM of its own, and the page that tells what comes. */
package io.sluice.transport.reentrancy;
