package io.sluice.transport.harness;

import io.sluice.transport.MessageEvent;
import io.sluice.transport.MessageEventHandler;
import io.sluice.transport.kit.Await;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Checks that numbered messages follow each other, from the first that it sees on. At one of them it can be held, and
 * looks at that message again before it returns. On the thread of its consumer; the accessors are any thread's.
 */
public class RereadingHandler implements MessageEventHandler {
    /** Bytes of each message. */
    public static final int LENGTH = 200;

    private static final int NOBODY = -1;

    private final String name;
    private final AtomicInteger seen = new AtomicInteger();
    private final AtomicInteger wrong = new AtomicInteger();
    private final AtomicInteger shutDowns = new AtomicInteger();
    private final CountDownLatch reread = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile int heldAt = NOBODY;
    private volatile boolean isHeld;
    private volatile int next = NOBODY;
    private volatile String changed = "";

    public RereadingHandler(final String name) {
        this.name = name;
    }

    /** Write the message of a number. */
    public static void write(final MutableDirectBuffer buffer, final int number) {
        buffer.setMemory(0, LENGTH, (byte) number);
        buffer.putInt(0, number);
    }

    /** Be held at the message of a number until {@link #release()}. */
    public void holdAt(final int number) {
        heldAt = number;
    }

    /** Look at that message again and release it, but do not return yet. */
    public void reread() {
        reread.countDown();
        Await.until("the look at the message of " + name, () -> !isHeld);
    }

    public void release() {
        reread.countDown();
        released.countDown();
    }

    @Override
    public void onEvent(final MessageEvent event, final long sequence, final boolean endOfBatch) throws Exception {
        final String read = read(event);
        final int number = event.buffer().getInt(event.offset());
        if (event.length() != LENGTH || next != NOBODY && number != next
            || !read.endsWith(content(event, number))) {
            wrong.incrementAndGet();
        }
        next = number + 1;
        if (number == heldAt) {
            isHeld = true;
            Await.until("the look at the message of " + name, () -> reread.getCount() == 0);
            final String now = read(event);
            changed = now.equals(read) ? "" : now + " instead of " + read;
            // whatever has become of the ring meanwhile: it is done with the message
            event.release();
            isHeld = false;
            Await.until("the release of " + name, () -> released.getCount() == 0);
        }
        seen.incrementAndGet();
        then();
    }

    /** Does what a test wants behind the checks of a message. */
    protected void then() {
    }

    private static String read(final MessageEvent event) {
        final byte[] bytes = new byte[event.length()];
        event.buffer().getBytes(event.offset(), bytes);
        return event.position() + " " + event.templateId() + " " + event.image().sessionId() + " "
            + event.header().position() + " " + Arrays.toString(bytes);
    }

    private static String content(final MessageEvent event, final int number) {
        final ExpandableArrayBuffer expected = new ExpandableArrayBuffer(LENGTH);
        write(expected, number);
        final byte[] bytes = new byte[event.length()];
        expected.getBytes(0, bytes, 0, Math.min(bytes.length, LENGTH));
        return Arrays.toString(bytes);
    }

    @Override
    public void onShutdown() {
        shutDowns.incrementAndGet();
    }

    @Override
    public String name() {
        return name;
    }

    /** Whether the handler has yet to look again at the message that it is held at. */
    public boolean isHeld() {
        return isHeld;
    }

    public int seen() {
        return seen.get();
    }

    /** The number of the message that comes next. */
    public int next() {
        return next;
    }

    /** Messages that did not follow the one before, or were not what was written. */
    public int wrong() {
        return wrong.get();
    }

    /** The change of the message that it was held at, from what to what; empty when it was the same. */
    public String changed() {
        return changed;
    }

    public boolean hasEnded() {
        return shutDowns.get() == 1;
    }
}
