/** The bytes on the wire: generated codecs of frames and control messages, and their dispatch. */
module io.sluice.codec {
    requires transitive org.agrona;

    exports io.sluice.codec;
    exports io.sluice.codec.control;
}
