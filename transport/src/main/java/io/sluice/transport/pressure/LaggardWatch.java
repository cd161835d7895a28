package io.sluice.transport.pressure;

/**
 * Watches who is waited for while there is pressure, and decides whether listeners that were told of one laggard are to
 * be told of another: at most every so often, and not of those who take turns in being the slowest. Conductor only.
 */
public final class LaggardWatch {
    /**
     * The time between two names, and how long another laggard must have been waited for: longer than it takes to catch
     * up.
     */
    static final long RETELL_INTERVAL_NS = 100_000_000L;

    private String consumer = "";
    private String peer = "";
    private long sinceNs;
    private String toldConsumer = "";
    private String toldPeer = "";
    private long toldAtNs;

    /** Creates a watch that has seen nobody waited for. */
    public LaggardWatch() {
    }

    /**
     * Look who is waited for now.
     *
     * @param newConsumer by name, empty when it is not known, or when nobody is waited for.
     * @param newPeer     where that is, empty when it is here.
     * @param nanoTime    of the look.
     * @return whether that is to be told.
     */
    public boolean isNews(final String newConsumer, final String newPeer, final long nanoTime) {
        if (!newConsumer.equals(consumer) || !newPeer.equals(peer)) {
            consumer = newConsumer;
            peer = newPeer;
            sinceNs = nanoTime;
        }
        if (newPeer.equals(toldPeer) && (newConsumer.isEmpty() || toldConsumer.isEmpty())) {
            // a name that has become known is told at once; that it is not known any more is not worth telling
            return !newConsumer.isEmpty() && toldConsumer.isEmpty();
        }
        final boolean isNobody = newConsumer.isEmpty() && newPeer.isEmpty();
        final boolean isTold = newConsumer.equals(toldConsumer) && newPeer.equals(toldPeer);
        return !isNobody && !isTold && nanoTime - sinceNs >= RETELL_INTERVAL_NS
            && nanoTime - toldAtNs >= RETELL_INTERVAL_NS;
    }

    /**
     * Notes that listeners were told of a laggard.
     *
     * @param newConsumer that lags, or null.
     * @param newPeer     whose consumer lags, or null.
     * @param nanoTime    of the environment.
     */
    public void told(final String newConsumer, final String newPeer, final long nanoTime) {
        toldConsumer = newConsumer;
        toldPeer = newPeer;
        toldAtNs = nanoTime;
    }

    /** {@return the consumer that was told last, which may be empty} */
    String toldConsumer() {
        return toldConsumer;
    }

    /** {@return the peer that was told last, empty when it was nobody, or somebody here} */
    String toldPeer() {
        return toldPeer;
    }
}
