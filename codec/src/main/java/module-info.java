/**
 * The bytes on the wire: generated codecs of frames and control messages, and their dispatch; and those of the samples'
 * market data.
 */
module io.sluice.codec {
    requires transitive org.agrona;

    exports io.sluice.codec;
    exports io.sluice.codec.control;
    exports io.sluice.codec.marketdata;
}
