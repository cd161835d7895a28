package io.sluice.verbs.rdma;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests over a connection manager and a device by a script, each with its own. */
abstract class ScriptedManagerTests {
    ScriptedManager manager;

    @BeforeEach
    void script() {
        manager = new ScriptedManager();
    }

    @AfterEach
    void close() {
        if (manager != null) {
            manager.close();
        }
    }
}
