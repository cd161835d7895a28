package io.sluice.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class AddressHandleAttributesTest {
    private static final byte[] GID = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 77, 0, 1};

    private static void refused(final String what, final Executable asking) {
        final String message = assertThrows(IllegalArgumentException.class, asking).getMessage();
        assertTrue(message.startsWith(what), message);
    }

    @Test
    void shouldKeepItsOwnGid() {
        final byte[] gid = GID.clone();
        final AddressHandleAttributes path = AddressHandleAttributes.toGid(gid);
        gid[0] = 1;
        path.destinationGid()[0] = 1;

        assertArrayEquals(GID, path.destinationGid());
        assertTrue(path.isGlobal());
        assertFalse(AddressHandleAttributes.toLid(3).isGlobal());
    }

    @Test
    void shouldEqualByValue() {
        final AddressHandleAttributes path = AddressHandleAttributes.toGid(GID);

        assertEquals(path, AddressHandleAttributes.toGid(GID.clone()));
        assertEquals(path.hashCode(), AddressHandleAttributes.toGid(GID.clone()).hashCode());
        assertNotEquals(path, path.withFlowLabel(1));
        assertNotEquals(path, path.withHopLimit(1));
        assertNotEquals(path, path.withPort(1));
        assertNotEquals(path, path.withServiceLevel(1));
        assertNotEquals(path, path.withSourceGidIndex(1));
        assertNotEquals(path, path.withTrafficClass(1));
        assertNotEquals(path, AddressHandleAttributes.toLid(0));
    }

    @Test
    void shouldRefuseValuesOutOfRange() {
        final AddressHandleAttributes path = AddressHandleAttributes.toGid(GID);

        refused("gid.length=15 ", () -> AddressHandleAttributes.toGid(new byte[15]));
        refused("gid.length=0 ", () -> AddressHandleAttributes.toGid(new byte[0]));
        refused("destinationGid.length=17 ",
            () -> new AddressHandleAttributes(new byte[17], 0, 0, 0, 0, 0, 0, 0, 0, 0));
        refused("destinationLid=65536 is not in 0..65535", () -> AddressHandleAttributes.toLid(1 << 16));
        refused("flowLabel=1048576 is not in 0..1048575", () -> path.withFlowLabel(1 << 20));
        refused("hopLimit=256 is not in 0..255", () -> path.withHopLimit(256));
        refused("trafficClass=-1 is not in 0..255", () -> path.withTrafficClass(-1));
        refused("serviceLevel=16 is not in 0..15", () -> path.withServiceLevel(16));
        refused("sourceGidIndex=-2 is not in -1..255", () -> path.withSourceGidIndex(-2));
        refused("port=255 is not in 0..254", () -> path.withPort(255));
        refused("sourcePathBits=128 ", () -> new AddressHandleAttributes(GID, 0, 0, 0, 0, 0, 0, 128, 0, 0));
        refused("staticRate=256 ", () -> new AddressHandleAttributes(GID, 0, 0, 0, 0, 0, 0, 0, 256, 0));
    }
}
