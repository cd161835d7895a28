package io.sluice.transport.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.codec.control.BackPressureDecoder;
import io.sluice.codec.control.EvictDecoder;
import io.sluice.codec.control.MessageHeaderDecoder;
import io.sluice.transport.peer.ConnectedPeer;
import io.sluice.transport.pressure.PressureGauge;
import io.sluice.transport.status.BackPressureCause;
import io.sluice.transport.status.ConsumerEviction;
import io.sluice.transport.status.PressureState;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Reports of a subscription outlive a break: a control session that looks ready may be lost already, and what is told
 * over it with it.
 */
class SubscriptionLinkNoticesTest {
    private static final long LINK_ID = 7;

    private final List<Integer> told = new ArrayList<>();
    private final SubscriptionLinkStanding standing = new SubscriptionLinkStanding();
    private final SubscriptionLinkNotices notices =
        new SubscriptionLinkNotices(new LinkEncoder(), peer(), LINK_ID, standing);

    private ConnectedPeer peer() {
        return (ConnectedPeer) Proxy.newProxyInstance(
            ConnectedPeer.class.getClassLoader(), new Class<?>[] {ConnectedPeer.class}, (_, method, arguments) -> {
                if (method.getName().equals("send")) {
                    told.add(new MessageHeaderDecoder().wrap((DirectBuffer) arguments[0], 0).templateId());
                    return null;
                }
                return method.getName().equals("isReady");
            });
    }

    @BeforeEach
    void establish() {
        goOn(1);
    }

    private void goOn(final long epoch) {
        standing.prepare(epoch);
        standing.moveTo(SubscriptionLinkState.ACCEPTED);
        standing.moveTo(SubscriptionLinkState.ACTIVE);
    }

    private void evict(final String name) {
        notices.evicted(new ConsumerEviction(name, List.of(), 1, 1, 1), 1);
    }

    @Test
    void shouldTellAnEvictionAtOnceWhileTheLinkWorks() {
        evict("snail");
        assertEquals(List.of(EvictDecoder.TEMPLATE_ID), told);
    }

    @Test
    void shouldTellEvictionsOfABreakWhenTheLinkGoesOnAndOnceOnly() {
        standing.moveTo(SubscriptionLinkState.BROKEN);
        evict("snail");
        evict("tortoise");
        notices.tellEvictions();
        assertEquals(List.of(), told);
        goOn(2);
        notices.onResumed();
        notices.tellEvictions();
        notices.tellEvictions();
        assertEquals(List.of(EvictDecoder.TEMPLATE_ID, EvictDecoder.TEMPLATE_ID), told);
    }

    @Test
    void shouldTellThePressureAgainWhenTheLinkGoesOn() {
        final PressureGauge gauge = new PressureGauge(0);
        gauge.raise(PressureState.BLOCKED, BackPressureCause.RING_FULL, 1);
        notices.pressure(gauge, "snail", 1, 1);
        notices.pressure(gauge, "snail", 1, 2);
        assertEquals(List.of(BackPressureDecoder.TEMPLATE_ID), told);
        standing.moveTo(SubscriptionLinkState.BROKEN);
        notices.pressure(new PressureGauge(0), "", 0, 3);
        assertEquals(List.of(BackPressureDecoder.TEMPLATE_ID), told);
        goOn(2);
        notices.onResumed();
        notices.pressure(gauge, "snail", 1, 4);
        assertEquals(List.of(BackPressureDecoder.TEMPLATE_ID, BackPressureDecoder.TEMPLATE_ID), told);
    }
}
