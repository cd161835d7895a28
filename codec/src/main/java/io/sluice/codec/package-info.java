/**
 * The codecs of frames and control messages, and their dispatch.
 *
 * <pre>
 *   a log or ring:          FrameDescriptor, header and message of a frame
 *   beside it, by writes:   ImmediatePosition, FeedbackDescriptor
 *   control connection:     control.…Encoder ──→ ControlMessageReader ──→ ControlMessageHandler
 * </pre>
 *
 * <p>{@link io.sluice.codec.FrameDescriptor} and {@link io.sluice.codec.ControlMessageReader} are the entries.
 * Functions keep nothing and are of any thread; encoders, decoders and readers are flyweights of one. Bytes of others
 * are checked before anything is read by them.
 *
 * <p>Imports Agrona, and {@code io.sluice.codec.control}, which SBE generates from {@code sluice-protocol.xml}.
 */
package io.sluice.codec;
