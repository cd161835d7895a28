package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.verbs.WorkStatus;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory that is not there, or not for that: librpma does not look, so the device says so by a completion. */
class AccessFailureTest extends RpmaDeviceTests {
    private static final int FLAGS = RpmaCompletionFlags.ALWAYS;
    private static final int END = RpmaSide.REGION_LENGTH;
    /** Verbs have the first; soft-RoCE flushes some requests and names no cause. */
    private static final Set<Integer> LOCAL_FAULTS = Set.of(WorkStatus.LOC_PROT_ERR, WorkStatus.WR_FLUSH_ERR);

    /** Errors of receiver and sender of what does not fit: verbs have the first of each, soft-RoCE the second. */
    private static final Set<Integer> DOES_NOT_FIT = Set.of(WorkStatus.LOC_LEN_ERR, WorkStatus.LOC_QP_OP_ERR);
    private static final Set<Integer> DID_NOT_FIT = Set.of(WorkStatus.REM_INV_REQ_ERR, WorkStatus.REM_OP_ERR);
    /** Ends of a receive of the side that has refused; the second when immediate data would have used it up. */
    private static final Set<Integer> ENDS_OF_RECEIVES = Set.of(WorkStatus.WR_FLUSH_ERR, WorkStatus.REM_ACCESS_ERR);

    /** Something that a client does to its own memory and the other side's. */
    private interface Operation {
        int post(RpmaSide client, long id);
    }

    private static Arguments named(final String name, final Operation operation) {
        return Arguments.of(Named.of(name, operation));
    }

    private static Stream<Arguments> beyondTheOtherRegion() {
        return Stream.of(
            named("write", (client, id) -> client.connection.write(
                client.remote, END - 8, client.region, 0, 64, FLAGS, id)),
            named("read", (client, id) -> client.connection.read(
                client.region, 0, client.remote, END - 8, 64, FLAGS, id)),
            named("write with immediate", (client, id) -> client.connection.writeWithImmediate(
                client.remote, END, client.region, 0, 64, FLAGS, 1, id)),
            named("atomic write", (client, id) -> client.connection.atomicWrite(client.remote, END, 1, FLAGS, id)),
            named("flush", (client, id) -> client.connection.flush(
                client.remote, END, 8, RpmaFlushType.VISIBILITY, FLAGS, id)));
    }

    private static Stream<Arguments> beyondTheOwnRegion() {
        return Stream.of(
            named("send", (client, id) -> client.connection.send(client.region, END - 8, 64, FLAGS, id)),
            named("write", (client, id) -> client.connection.write(
                client.remote, 0, client.region, END - 8, 64, FLAGS, id)),
            named("read", (client, id) -> client.connection.read(
                client.region, END - 8, client.remote, 0, 64, FLAGS, id)));
    }

    private static Stream<Arguments> notGranted() {
        return Stream.of(
            named("write", (client, id) -> client.connection.write(client.remote, 0, client.region, 0, 8, FLAGS, id)),
            named("read", (client, id) -> client.connection.read(client.region, 0, client.remote, 0, 8, FLAGS, id)),
            named("atomic write", (client, id) -> client.connection.atomicWrite(client.remote, 0, 8, FLAGS, id)));
    }

    private static void assertOneOf(final Set<Integer> expected, final int status) {
        assertTrue(expected.contains(status), () -> WorkStatus.name(status));
    }

    private static void assertFlushesWhatFollows(final RpmaSide side) {
        for (int id = 10; id < 13; id++) {
            assertEquals(RpmaError.OK, side.connection.send(side.region, 0, 8, RpmaCompletionFlags.ON_ERROR, id));
            assertEquals(WorkStatus.WR_FLUSH_ERR, side.main.nextFailure(id));
        }
    }

    @ParameterizedTest
    @MethodSource("beyondTheOtherRegion")
    void shouldFailBeyondTheRegionOfTheOtherSide(final Operation operation) {
        final RpmaRig.Link link = rig.link(new SideOptions().receives(1), new SideOptions());

        assertEquals(RpmaError.OK, operation.post(link.client(), 1));

        assertEquals(WorkStatus.REM_ACCESS_ERR, link.client().main.nextFailure(1));
        assertFlushesWhatFollows(link.client());
        assertOneOf(ENDS_OF_RECEIVES, link.server().main.nextFailure(0));
    }

    @ParameterizedTest
    @MethodSource("notGranted")
    void shouldFailWhereTheOtherSideHasNotGrantedIt(final Operation operation) {
        final RpmaSide client = rig.link(new SideOptions().usages(RpmaUsage.SEND), new SideOptions()).client();

        assertEquals(RpmaError.OK, operation.post(client, 1));

        assertEquals(WorkStatus.REM_ACCESS_ERR, client.main.nextFailure(1));
    }

    @Test
    void shouldFailWhenTheOtherSideHasClosedItsRegion() {
        final RpmaRig.Link link = rig.link();
        link.server().region.close();

        assertEquals(RpmaError.OK, link.client().connection.write(
            link.client().remote, 0, link.client().region, 0, 8, RpmaCompletionFlags.ON_ERROR, 1));

        assertEquals(WorkStatus.REM_ACCESS_ERR, link.client().main.nextFailure(1));
    }

    @ParameterizedTest
    @MethodSource("beyondTheOwnRegion")
    void shouldFailBeyondTheOwnRegion(final Operation operation) {
        final RpmaRig.Link link = rig.link(new SideOptions().receives(1), new SideOptions());

        assertEquals(RpmaError.OK, operation.post(link.client(), 1));

        assertOneOf(LOCAL_FAULTS, link.client().main.nextFailure(1));
        assertFlushesWhatFollows(link.client());
    }

    @Test
    void shouldFailBothSidesWhenAMessageIsTooLong() {
        final RpmaRig.Link link = rig.link(new SideOptions().receives(1), new SideOptions());

        assertEquals(RpmaError.OK, link.client().connection.send(
            link.client().region, 0, RpmaSide.SLOT_LENGTH + 1, RpmaCompletionFlags.ON_ERROR, 1));

        assertOneOf(DOES_NOT_FIT, link.server().main.nextFailure(0));
        assertOneOf(DID_NOT_FIT, link.client().main.nextFailure(1));
    }

    @Test
    void shouldFlushReceivesAtTheEnd() {
        final RpmaRig.Link link = rig.link(new SideOptions().receives(3), new SideOptions().receives(3));

        link.disconnect();

        for (int i = 0; i < 3; i++) {
            assertEquals(WorkStatus.WR_FLUSH_ERR, link.client().main.nextFailure(i));
            assertEquals(WorkStatus.WR_FLUSH_ERR, link.server().main.nextFailure(i));
        }
    }
}
