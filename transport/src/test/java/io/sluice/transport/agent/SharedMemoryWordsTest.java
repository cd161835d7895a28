package io.sluice.transport.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedMemoryWordsTest {
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "ibv_reg_mr: no region of 64 bytes; no region of 64 bytes",
        "peer pid 7 refuses a link: reason=RESOURCES streamId=1, ibv_resize_cq: no room for one more link: queuePairs=8"
            + "; peer pid 7 refuses a link: reason=RESOURCES streamId=1, no room for one more link: linkEnds=8",
        "link given up: reason=QUEUE_PAIR_ERROR resumes=1; link given up: reason=LINK_ERROR resumes=1",
        "link given up: reason=COMPLETION_ERROR; link given up: reason=WRITE_ERROR",
        "peer gave a link up: reason=COMPLETION_QUEUE_OVERRUN x; peer gave a link up: reason=OVERRUN x",
        "link given up: reason=DEVICE; link given up: reason=SHARED_MEMORY",
        "completion queue has overrun: capacity=8; queue of arrivals has overrun: capacity=8",
        "the device has 9 queue pairs, its maximum; the shared memory has 9 links' ends, its maximum",
        "device software was removed: its links are broken; the shared memory was removed: its links are broken"
    })
    void shouldSayNothingOfVerbs(final String text, final String told) {
        assertEquals(told, SharedMemoryWords.of(text));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "image given up: reason=PEER_SILENT streamId=1 channel=sluice:ipc?endpoint=device",
        "cannot write file: path=/dev/shm/device/r1",
        "client=device-gateway",
        "cannot connect to who listens at ipc/device, gone"
    })
    void shouldLeaveValuesAlone(final String text) {
        assertEquals(text, SharedMemoryWords.of(text));
    }

    @Test
    void shouldTakeTextForText() {
        assertEquals("costs $1 \\ queue of arrivals", SharedMemoryWords.of("costs $1 \\ completion queue"));
    }
}
