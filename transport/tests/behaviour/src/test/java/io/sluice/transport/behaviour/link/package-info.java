/** Links that are set up, rest, break, resume and are replaced. */
package io.sluice.transport.behaviour.link;
