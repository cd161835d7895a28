/** A host that lacks memory, threads or files, whose clock is odd, or whose folders somebody removes. */
package io.sluice.transport.behaviour.host;
