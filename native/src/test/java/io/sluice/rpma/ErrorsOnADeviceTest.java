package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The way in which each of librpma's errors comes about, as a user of the binding sees it. */
class ErrorsOnADeviceTest extends RpmaDeviceTests {
    private static final int FLAGS = RpmaCompletionFlags.ALWAYS;
    /** A value of enum ibv_advise_mr_advice: fetch pages. Soft-RoCE has them all. */
    private static final int FETCH = 0;
    private static final int MORE_THAN_FITS = 5000;

    private static final Map<Integer, Provocation> PROVOCATIONS = Map.of(
        RpmaError.E_NOSUPP, rig -> {
            final RpmaSide client = rig.link().client();
            return client.connection.flush(client.remote, 0, 8, RpmaFlushType.PERSISTENT, FLAGS, 1);
        },
        RpmaError.E_PROVIDER, rig -> {
            final RpmaSide server = rig.link().server();
            int result = RpmaError.OK;
            for (int i = 0; result == RpmaError.OK && i < MORE_THAN_FITS; i++) {
                result = server.postReceive(0);
            }
            return result;
        },
        RpmaError.E_INVAL, rig -> {
            final RpmaSide client = rig.link().client();
            return client.connection.atomicWrite(client.remote, 1, 1, FLAGS, 1);
        },
        RpmaError.E_NO_COMPLETION,
        rig -> rig.link().client().connection.completionQueue().getCompletion(new WorkCompletions(1)),
        // the binding tells it by null
        RpmaError.E_NO_EVENT,
        rig -> rig.link().client().connection.nextEvent(0) == null ? RpmaError.E_NO_EVENT : RpmaError.OK,
        RpmaError.E_SHARED_CHANNEL,
        rig -> rig.link(new SideOptions().configuration(RpmaRig.CONFIGURATION.withSharedCompletionChannel(true)),
            new SideOptions()).server().connection.completionQueue().await(0),
        RpmaError.E_NOT_SHARED_CHANNEL, rig -> rig.link().client().connection.awaitCompletion(0));
    /**
     * Errors of what a working device does not do: more completions than asked for or an event that librpma does not
     * know, no memory left, and a library without atomic operations. They are told by a library of Java's in tests that
     * need no device.
     */
    private static final Set<Integer> NOT_ON_A_DEVICE =
        Set.of(RpmaError.E_UNKNOWN, RpmaError.E_NOMEM, RpmaError.E_AGAIN);

    /** Does something; the error that it has seen. */
    private interface Provocation {
        int on(RpmaRig rig);
    }

    private static Stream<Integer> errors() {
        return Arrays.stream(RpmaError.class.getFields()).filter(field -> Modifier.isStatic(field.getModifiers()))
            .map(field -> {
                try {
                    return field.getInt(null);
                } catch (final IllegalAccessException e) {
                    throw new AssertionError(e);
                }
            }).filter(code -> code != RpmaError.OK);
    }

    private static Stream<Integer> errorsOnADevice() {
        return errors().filter(code -> !NOT_ON_A_DEVICE.contains(code));
    }

    private static int codeOf(final Executable call) {
        final RpmaException failure = assertThrows(RpmaException.class, call);
        assertTrue(failure.getMessage().contains(RpmaError.describe(failure.code())), failure.getMessage());
        return failure.code();
    }

    @ParameterizedTest
    @MethodSource("errorsOnADevice")
    void shouldTellTheErrorThatIsProvoked(final int code) {
        assertEquals(RpmaError.describe(code), RpmaError.describe(PROVOCATIONS.get(code).on(rig)));
    }

    @Test
    void shouldHaveAProvocationForEachError() {
        final Set<Integer> known = new TreeSet<>(PROVOCATIONS.keySet());
        known.addAll(NOT_ON_A_DEVICE);

        assertEquals(errors().collect(Collectors.toCollection(TreeSet::new)), known);
    }

    @Test
    void shouldThrowTheErrorsOfSettingUp() {
        final RpmaMemoryRegion region = rig.keep(rig.serverPeer.register(4096, RpmaUsage.READ_SOURCE));

        assertEquals(RpmaError.E_NOSUPP, codeOf(() -> region.advise(0, 4096, FETCH, 0)));
        assertEquals(RpmaError.E_INVAL, codeOf(() -> rig.serverPeer.register(64, 0)));
        assertEquals(RpmaError.E_INVAL, codeOf(() -> rig.serverPeer.register(64, 1 << 20)));
        assertEquals(RpmaError.E_INVAL, codeOf(() -> rig.serverPeer.remoteRegion(new byte[3])));
        assertEquals(RpmaError.E_INVAL, codeOf(() -> RpmaPeerConfiguration.ofDescriptor(new byte[0])));
        assertEquals(RpmaError.E_PROVIDER, codeOf(() -> rig.serverPeer.listen("10.77.0.77", RpmaRig.newPort())));
        assertEquals(RpmaError.E_PROVIDER, codeOf(() -> rig.serverPeer.listen(rig.address, "no-such-service")));
        assertEquals(RpmaError.E_PROVIDER, codeOf(() -> rig.clientPeer.requestConnection(
            rig.address, rig.port(), RpmaRig.CONFIGURATION.withCompletionQueueSize(Integer.MAX_VALUE))));
        assertEquals(RpmaError.E_PROVIDER, codeOf(() -> rig.clientPeer.requestConnection(
            rig.address, rig.port(), RpmaRig.CONFIGURATION.withSendQueueSize(Integer.MAX_VALUE))));
        assertEquals(RpmaError.E_PROVIDER, codeOf(() -> rig.serverPeer.newSharedReceiveQueue(
            new RpmaSharedReceiveQueueConfiguration(Integer.MAX_VALUE, 0))));
    }
}
