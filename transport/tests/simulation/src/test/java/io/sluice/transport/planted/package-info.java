/**
 * Bugs that are planted into copies of the sources, to show that the simulation and the tests find them. A bug is tied
 * to the method and the expression that it changes, so that code can move and be formatted anew around it.
 */
package io.sluice.transport.planted;
