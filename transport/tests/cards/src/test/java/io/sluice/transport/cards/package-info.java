/** The transport over the true provider, with models of cards below it. */
package io.sluice.transport.cards;
