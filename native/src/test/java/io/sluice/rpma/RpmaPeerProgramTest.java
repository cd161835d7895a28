package io.sluice.rpma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program in C that other tests meet, with itself: what fails here is not the binding's fault. */
class RpmaPeerProgramTest {
    private static final int COUNT = 7;

    @TempDir
    private Path folder;

    private String address;

    @BeforeEach
    void assumePeer() {
        address = RpmaPlace.address();
        RpmaPeerProgram.assumeThere();
    }

    @ParameterizedTest
    @CsvSource({
        "connection, Hello server!, Hello client!",
        "messages, 7, 7",
        "rcq, 7, 7",
        "scch, 7, 7",
        "srq, 7, 7",
        "read, ok, ok",
        "write, ok, ok",
        "imm, 01020304 8090a0b0, 05060708 a1b2c3d4"
    })
    void shouldMeetItself(final String flow, final String serverDetail, final String clientDetail)
        throws IOException, InterruptedException {
        final int port = RpmaPlace.newPort();
        try (RpmaPeerProgram server = RpmaPeerProgram.server(folder, address, port, flow);
             RpmaPeerProgram client = RpmaPeerProgram.client(folder, address, port, flow, COUNT)) {
            assertEquals(flow + ": " + clientDetail, client.awaitResult());
            assertEquals(flow + ": " + serverDetail, server.awaitResult());
        }
    }

    @Test
    void shouldFailWhenNobodyListens() throws IOException, InterruptedException {
        try (RpmaPeerProgram client =
            RpmaPeerProgram.client(folder, address, RpmaPlace.newPort(), "connection", COUNT)) {
            assertEquals(1, client.awaitEnd(), client::errors);
            assertTrue(client.errors().contains("Connection rejected"), client::errors);
        }
    }
}
