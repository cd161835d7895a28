package io.sluice.samples.learn;

import io.sluice.transport.Context;
import io.sluice.transport.FragmentHandler;
import io.sluice.transport.Publication;
import io.sluice.transport.RestingIdleStrategy;
import io.sluice.transport.Subscription;
import io.sluice.transport.ThreadingMode;
import io.sluice.transport.Transport;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.ShutdownSignalBarrier;

/**
 * Sample 9: the transport starts no threads. One agent of the program's own runs everything in turn, the transport's
 * agents included.
 */
public final class Sample9OwnAgents implements Agent {
    private static final String CHANNEL = "sluice:ipc?endpoint=sample-9";
    private static final int STREAM_ID = 10;
    private static final int MESSAGES = 3;

    private final Transport transport;
    private final Subscription subscription;
    private final Publication publication;
    private final MutableDirectBuffer message = new ExpandableArrayBuffer();
    private final FragmentHandler print = (buffer, offset, length, header) ->
        System.out.println("message " + buffer.getInt(offset) + " on " + Thread.currentThread().getName());
    private final ShutdownSignalBarrier end;
    private int sent;
    private int received;

    private Sample9OwnAgents(final Transport transport, final ShutdownSignalBarrier end) {
        this.transport = transport;
        this.end = end;
        subscription = transport.addSubscription(CHANNEL, STREAM_ID);
        publication = transport.addExclusivePublication(CHANNEL, STREAM_ID);
    }

    @Override
    public int doWork() {
        // connections, timers, counters and listeners; without it nobody is ever connected
        int work = transport.doWork();
        if (sent < MESSAGES) {
            message.putInt(0, sent + 1);
            if (publication.offer(message, 0, Integer.BYTES) > 0) {
                sent++;
                work++;
            }
        }
        final int messages = subscription.poll(print, MESSAGES);
        received += messages;
        if (messages > 0 && received == MESSAGES) {
            end.signal();
        }
        return work + messages;
    }

    @Override
    public void onClose() {
        // on the agent's thread, which has called doWork; the transport closes what was added to it
        transport.close();
    }

    @Override
    public String roleName() {
        return "my-agent";
    }

    /**
     * Run it.
     *
     * @param args none.
     */
    public static void main(final String[] args) {
        final Context context = new Context().threadingMode(ThreadingMode.INVOKER);
        try (ShutdownSignalBarrier end = new ShutdownSignalBarrier(); Transport transport = Transport.launch(context)) {
            final Sample9OwnAgents agent = new Sample9OwnAgents(transport, end);
            try (AgentRunner runner = new AgentRunner(
                new RestingIdleStrategy(), Throwable::printStackTrace, null, agent)) {
                AgentRunner.startOnThread(runner);
                end.await();
            }
        }
    }
}
