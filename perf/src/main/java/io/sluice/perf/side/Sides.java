package io.sluice.perf.side;

/** Makes the side that plays a role: a role is known to each side, by its settings, and so knows none of them. */
final class Sides {
    private Sides() {
    }

    static Side of(final SideSettings settings) {
        return switch (settings.role()) {
            case PING -> new PingSide(settings);
            case HAND_OFF -> new HandOffSide(settings);
            case FIXED_RATE -> new FixedRateSide(settings);
            case PACED_HAND_OFF -> new PacedHandOffSide(settings);
            case PONG -> new PongSide(settings);
            case FAST_AND_SLOW -> new FastAndSlowSide(settings);
            case PUBLISH -> new PublishSide(settings);
            case SUBSCRIBE -> new SubscribeSide(settings);
        };
    }
}
