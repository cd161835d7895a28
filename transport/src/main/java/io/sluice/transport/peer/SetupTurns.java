package io.sluice.transport.peer;

import java.util.ArrayList;
import java.util.List;

/**
 * The links of publications that are being set up over one control connection: a few at a time, since each end has one
 * thread for it, and who waits for that longer than the other end is patient has to begin again. Conductor only.
 * <pre>
 *   asking ──take: fewer than 8 have a turn──→ has a turn ──not isTaken any more──→ free
 *      └──take: all 8 are taken──→ asking, in a later duty cycle
 * </pre>
 * <table>
 *   <caption>What moves it, and the thread that the work is done on before</caption>
 *   <tr><td>asking</td><td>another link's turn is over; the next one to ask gets it, in no order</td>
 *     <td>conductor</td></tr>
 *   <tr><td>has a turn</td><td>the link says at the next look that it keeps nobody waiting: see {@link Turn}</td>
 *     <td>set-up, conductor</td></tr>
 * </table>
 * A turn is never given back. Each look asks all links that have one, so that a link which breaks, ends or is forgotten
 * on the way cannot keep its turn. With several hundred links at once, none was connected before there were turns
 * ({@code docs/decisions/005-epochs-and-resumption.md}).
 */
public final class SetupTurns {
    /** A link that waits for its turn or has it. */
    public interface Turn {
        /**
         * {@return whether the link keeps others waiting} False frees the turn for good: whoever goes on all the same,
         * with an answer that came late for example, is not counted any more.
         *
         * @param nowNs time of the conductor's clock.
         */
        boolean isTaken(long nowNs);
    }

    /** The most links that have a turn: enough to keep both threads busy while messages are under way. */
    static final int MAX_LINKS = 8;

    /**
     * Links that had a turn at the last look, over this connection alone: links of other peers do not hinder each other
     * here, though they share the set-up thread.
     */
    private final List<Turn> turns = new ArrayList<>(MAX_LINKS);

    /** Makes turns of which no link has one yet. */
    SetupTurns() {
    }

    /**
     * {@return whether a link may be set up now} Else it asks again, in a later duty cycle; it is not remembered here.
     * A link that asks has no turn by its own word, so that its old one goes first and none is counted twice.
     *
     * @param turn  of the link.
     * @param nowNs time of the conductor's clock.
     */
    boolean take(final Turn turn, final long nowNs) {
        for (int i = turns.size() - 1; i >= 0; i--) {
            if (!turns.get(i).isTaken(nowNs)) {
                turns.remove(i);
            }
        }
        return turns.size() < MAX_LINKS && turns.add(turn);
    }
}
