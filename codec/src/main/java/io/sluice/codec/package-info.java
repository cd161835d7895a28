/**
 * The codecs of frames and control messages, and their dispatch.
 */
package io.sluice.codec;
