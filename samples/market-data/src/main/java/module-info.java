/** Messages of a made-up market, of the samples. */
module io.sluice.samples.marketdata {
    requires transitive org.agrona;

    exports io.sluice.samples.marketdata;
}
