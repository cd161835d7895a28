package io.sluice.transport.receive;

import java.util.Arrays;
import org.agrona.UnsafeApi;

/**
 * The places where the next frames of inactive links will begin, by the links' places in {@link AttachedLinks}. To ask
 * a link itself is to wait for half a dozen objects that no cache has any more, one after the other, and for its log
 * besides. Here a look reads two words that lie beside those of the next link, and the log; and what one look waits for
 * is on its way together with what the next one does.
 * <p>
 * Polling thread only. It looks into memory that it does not own: whatever happens to a link makes it active first, and
 * of active links nothing is looked at here.
 */
final class ExpectedFrames {
    /** Address of a frame that is not to be looked for here, but by its link. */
    private static final long UNKNOWN = 0;

    private static final long[] NO_WORDS = {};

    private long[] lapAddresses = NO_WORDS;
    private long[] lapWords = NO_WORDS;

    /** Adds a place, the last one. */
    void add() {
        lapAddresses = Arrays.copyOf(lapAddresses, lapAddresses.length + 1);
        lapWords = Arrays.copyOf(lapWords, lapWords.length + 1);
    }

    /** Removes a place; the ones behind it move up. */
    void remove(final int place) {
        lapAddresses = without(lapAddresses, place);
        lapWords = without(lapWords, place);
    }

    private static long[] without(final long[] words, final int place) {
        final long[] rest = Arrays.copyOf(words, words.length - 1);
        System.arraycopy(words, place + 1, rest, place, rest.length - place);
        return rest;
    }

    void swap(final int place, final int otherPlace) {
        swap(lapAddresses, place, otherPlace);
        swap(lapWords, place, otherPlace);
    }

    private static void swap(final long[] words, final int place, final int otherPlace) {
        final long word = words[place];
        words[place] = words[otherPlace];
        words[otherPlace] = word;
    }

    /** Notes where the next frame of the link in a place will begin, which becomes inactive. */
    void expect(final int place, final InboundLink link) {
        final boolean isInLog = link.isAwaiting() && link.reader().ring().byteArray() == null;
        final long received = link.positions().received();
        lapAddresses[place] = isInLog ? link.reader().lapAddress(received) : UNKNOWN;
        lapWords[place] = isInLog ? link.reader().lapAndChecksumWord(received) : UNKNOWN;
    }

    /** {@return whether the link in a place, an inactive one, is to be asked for frames} */
    boolean mayBeThere(final int place) {
        final long lapAddress = lapAddresses[place];
        return lapAddress == UNKNOWN || UnsafeApi.getLongAcquire(null, lapAddress) == lapWords[place];
    }
}
