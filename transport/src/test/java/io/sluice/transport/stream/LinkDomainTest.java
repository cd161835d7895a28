package io.sluice.transport.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.transport.stub.StubQueuePair;
import io.sluice.verbs.Errno;
import io.sluice.verbs.MemoryRegion;
import io.sluice.verbs.ProtectionDomain;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.RdmaDevice;
import io.sluice.verbs.VerbsException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The moments at which the domain of a link is allocated and freed. */
class LinkDomainTest {
    private static final QueuePairAttributes ATTRIBUTES = new QueuePairAttributes(null, null, 1, 1, 0, 0, 0, 0, 0);

    private final List<String> calls = new ArrayList<>();
    private boolean isRefusing;
    private final LinkDomain domain = new LinkDomain(
        of(RdmaDevice.class, (proxy, method, arguments) -> noted("allocateProtectionDomain", domain())));

    private ProtectionDomain domain() {
        return of(ProtectionDomain.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "allocateRegion" -> noted("ring", region("ring"));
            case "openShared" -> noted("shared", region("shared"));
            case "registerForSends" -> noted("log", region("log"));
            case "createQueuePair" -> noted("queuePair", new StubQueuePair(1, 0));
            default -> noted(method.getName(), null);
        });
    }

    private MemoryRegion region(final String name) {
        return of(MemoryRegion.class, (proxy, method, arguments) -> {
            if (!method.getName().equals("close")) {
                return 4096L;
            }
            if (isRefusing) {
                throw new VerbsException("ibv_dereg_mr", Errno.EBUSY, "refused");
            }
            return noted(name + ".close", null);
        });
    }

    private Object noted(final String call, final Object result) {
        calls.add(call);
        return result;
    }

    private static <T> T of(final Class<T> type, final InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == arguments[0];
                default -> handler.invoke(proxy, method, arguments);
            }));
    }

    @Test
    void shouldAskForNoDomainWhileNothingIsMade() {
        domain.close();

        assertEquals(List.of(), calls);
    }

    @Test
    void shouldMakeEverythingInOneDomain() {
        domain.allocateRegion(4096, 0);
        domain.openShared(new byte[0], 4096, 0);
        domain.createQueuePair(ATTRIBUTES);

        assertEquals(List.of("allocateProtectionDomain", "ring", "shared", "queuePair"), calls);
    }

    @Test
    void shouldFreeTheDomainWhenTheLastOfItsThingsIsClosedAfterTheLinkIsOver() {
        final MemoryRegion ring = domain.allocateRegion(4096, 0);
        final QueuePair first = domain.createQueuePair(ATTRIBUTES);
        domain.onDestroyed(first);
        final QueuePair second = domain.createQueuePair(ATTRIBUTES);
        calls.clear();

        domain.close();
        domain.onDestroyed(first);
        domain.onDestroyed(second);
        assertEquals(List.of(), calls);
        ring.close();

        assertEquals(List.of("ring.close", "close"), calls);
        ring.close();
        domain.close();
        assertEquals(List.of("ring.close", "close", "ring.close"), calls);
    }

    @Test
    void shouldKeepTheDomainOfALinkThatGoesOn() {
        domain.allocateRegion(4096, 0).close();

        assertEquals("ring.close", calls.getLast());
        assertEquals(4096, domain.allocateRegion(4096, 0).length());
        assertEquals(1, calls.stream().filter("allocateProtectionDomain"::equals).count());
    }

    @Test
    void shouldRegisterTheLogOnceForAllEpochsAndLetGoOfItWithTheLink() {
        final MemoryRegion log = region("log");

        final MemoryRegion sent = domain.registerForSends(log);
        assertSame(sent, domain.registerForSends(log));
        domain.close();

        assertEquals(List.of("allocateProtectionDomain", "log", "log.close", "close"), calls);
    }

    @Test
    void shouldLetGoOfTheLogLaterWhereTheDeviceRefuses() {
        final QueuePair pair = domain.createQueuePair(null);
        domain.registerForSends(region("of the publication"));
        isRefusing = true;
        assertThrows(VerbsException.class, domain::close);

        isRefusing = false;
        domain.onDestroyed(pair);

        assertEquals(List.of("log.close", "close"), calls.subList(calls.size() - 2, calls.size()));
    }

    @Test
    void shouldKeepTheDomainBelowWhatTheDeviceDoesNotLetGoOf() {
        final MemoryRegion ring = domain.allocateRegion(4096, 0);
        domain.close();
        isRefusing = true;
        assertThrows(VerbsException.class, ring::close);
        assertEquals("ring", calls.getLast());

        isRefusing = false;
        ring.close();

        assertEquals("close", calls.getLast());
    }
}
