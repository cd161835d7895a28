/**
 * The API's side of a carrier, whatever takes a publication's messages to its images: what the API asks of one, and
 * nothing of how that is done.
 *
 * <pre>
 *   Publication, GatheredOffers                        Subscription, Image
 *      │ offer, claim, commit, pad                        │ NextStep, as the handler of each message wants it
 *      ▼                                                  ▼
 *   Offers ──→ CommitResult                            receive: MessageView
 *      ▲
 *   send: LogOffers, of a log that verbs are posted from
 *
 *   StampClock: of messages that tell when they were offered, for both ends
 * </pre>
 *
 * <p>{@link io.sluice.transport.carrier.Offers} is the entry, for the threads that publish: classes and enums only,
 * so that a call of the data path needs no table of interfaces. Nothing here names a log, a link or the API.
 *
 * <p>May import nothing of the transport. Both data paths, streams and the API import this one.
 */
package io.sluice.transport.carrier;
