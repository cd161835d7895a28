package io.sluice.rpma;

/** The options by which a side of a connection is made for a test. */
final class SideOptions {
    private RpmaConnectionConfiguration configuration = RpmaRig.CONFIGURATION;
    private int usages = RpmaSide.ALL_USAGES;
    private int receives;
    private byte[] privateData = {};
    private PollingWay way = PollingWay.SPIN_ONE;

    SideOptions configuration(final RpmaConnectionConfiguration newConfiguration) {
        configuration = newConfiguration;
        return this;
    }

    RpmaConnectionConfiguration configuration() {
        return configuration;
    }

    /** Usages of the region, {@link RpmaUsage} flags. */
    SideOptions usages(final int newUsages) {
        usages = newUsages;
        return this;
    }

    int usages() {
        return usages;
    }

    /** Posted before there is a connection: work requests 0, 1 and so on, each to the slot of that number. */
    SideOptions receives(final int count) {
        receives = count;
        return this;
    }

    int receives() {
        return receives;
    }

    /** Sent along. */
    SideOptions privateData(final byte[] data) {
        privateData = data;
        return this;
    }

    byte[] privateData() {
        return privateData;
    }

    /** Sets the way in which completions are taken. */
    SideOptions way(final PollingWay newWay) {
        way = newWay;
        return this;
    }

    PollingWay way() {
        return way;
    }
}
