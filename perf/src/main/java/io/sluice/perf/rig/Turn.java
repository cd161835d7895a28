package io.sluice.perf.rig;

import io.sluice.perf.peer.PeerKind;

/**
 * A run that is planned.
 *
 * @param peer  to measure.
 * @param point what of it.
 * @param round from 1.
 */
public record Turn(PeerKind peer, Point point, int round) {
}
