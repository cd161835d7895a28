package io.sluice.rpma;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The rig that every test of the binding on a device needs. */
abstract class RpmaDeviceTests {
    RpmaRig rig;

    @BeforeEach
    void openPeers() {
        rig = RpmaRig.open();
    }

    @AfterEach
    void closePeers() {
        if (rig != null) {
            rig.close();
        }
    }
}
