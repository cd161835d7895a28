package io.sluice.verbs.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.sluice.verbs.AddressHandle;
import io.sluice.verbs.Errno;
import io.sluice.verbs.QueuePair;
import io.sluice.verbs.QueuePairAttributes;
import io.sluice.verbs.QueuePairType;
import io.sluice.verbs.WorkFlags;
import io.sluice.verbs.WorkStatus;
import io.sluice.verbs.rdma.PostingInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Datagrams on every card that has them: what {@link CriticalCallsTest} shows of connections holds of them, too. */
class CriticalDatagramsTest extends OpenedModelTests {
    private static final int QUEUE_KEY = 7;

    private AddressHandle self;
    private QueuePair queuePair;

    private static Stream<CriticalCallsTest.Case> cases() {
        return ModelCard.all().stream().filter(card -> !card.has(Trait.LACKS_DATAGRAMS)).flatMap(card ->
            Stream.of(PostingInterface.values()).filter(posting ->
                posting == PostingInterface.WORK_REQUESTS || ModelCardsTest.canBuild(card))
                .map(posting -> new CriticalCallsTest.Case(card, posting)));
    }

    private void open(final CriticalCallsTest.Case one) {
        open(one.card(), one.posting(), 16 * WORK);
        self = keep(domain.createAddressHandle(device.portAddress()));
        queuePair = keep(newQueuePair());
        queuePair.initialiseDatagrams(QUEUE_KEY);
        queuePair.readyToReceiveDatagrams();
        queuePair.readyToSend();
    }

    private QueuePair newQueuePair() {
        return domain.createQueuePair(new QueuePairAttributes(queue, queue, WORK, WORK, 0, 0, 0, 0, 0)
            .withReadAtomic(0, 0).withType(QueuePairType.UNRELIABLE_DATAGRAM));
    }

    private int send(final int offset) {
        return queuePair.postSendTo(1, WorkFlags.SIGNALED, region.address() + offset, region.localKey(), Long.BYTES,
            self, queuePair.number(), QUEUE_KEY);
    }

    private int receive() {
        return queuePair.postReceive(1, region.address(), region.localKey(), LENGTH);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldPostMoreThanThereIsRoomForWithinABatch(final CriticalCallsTest.Case one) {
        open(one);
        assertEquals(Errno.OK, send(0));
        assertEquals(Errno.OK, queue.startPoll());

        for (int i = 0; i < 2 * WORK; i++) {
            send(0);
            receive();
        }

        queue.endPoll();
        assertEquals(List.of(), model.violations().take());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldNotWaitForAQueuePairThatIsFailed(final CriticalCallsTest.Case one) throws InterruptedException {
        open(one);
        final AtomicInteger calls = new AtomicInteger();
        final List<Thread> threads = new ArrayList<>();
        model.onFail(aside(() -> {
            send(0);
            calls.incrementAndGet();
            receive();
            calls.incrementAndGet();
            poll();
            calls.incrementAndGet();
        }, threads));

        queuePair.fail();

        join(threads);
        model.onFail(() -> { });
        assertEquals(3, calls.get());
        send(0);
        receive();
        assertEquals(List.of(), model.violations().take());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldNotWaitForTheEndOfAnotherQueuePair(final CriticalCallsTest.Case one) throws InterruptedException {
        open(one);
        final QueuePair other = keep(newQueuePair());
        final List<Thread> threads = new ArrayList<>();
        model.onClean(aside(() -> {
            for (int i = 0; i < 2 * WORK; i++) {
                send(0);
                receive();
            }
        }, threads));

        other.close();

        join(threads);
        model.onClean(() -> { });
        assertEquals(List.of(), model.violations().take());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldPollAnErrorOfADatagram(final CriticalCallsTest.Case one) {
        open(one);
        assertEquals(Errno.OK, send(2 * LENGTH));

        assertEquals(Errno.OK, queue.startPoll());
        assertNotEquals(WorkStatus.SUCCESS, queue.status());
        queue.endPoll();

        assertEquals(List.of(), model.violations().take());
    }
}
