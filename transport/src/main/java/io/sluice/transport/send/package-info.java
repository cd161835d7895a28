/** The sending half of a stream: the send log, its links to subscriptions, and the accounting of their send queues. */
package io.sluice.transport.send;
