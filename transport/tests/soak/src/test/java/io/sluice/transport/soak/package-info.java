/**
 * A soak: publishing and subscribing processes under random faults of a seed, for as long as one likes, with every
 * message compared with the publisher's journal.
 */
package io.sluice.transport.soak;
