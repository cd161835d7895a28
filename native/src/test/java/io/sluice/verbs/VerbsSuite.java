package io.sluice.verbs;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The fixture and the rig that every class of the behavioural suite needs. The suite uses the object model only, so
 * that it runs unchanged against every provider, see {@link DeviceFixtures}.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.sluice.verbs.DeviceFixtures#all")
abstract class VerbsSuite {
    @Parameter
    DeviceFixture fixture;
    Rig rig;

    @BeforeEach
    void openDevices() {
        rig = new Rig(fixture);
    }

    @AfterEach
    void closeDevices() {
        rig.close();
    }
}
