package io.sluice.transport.receive;

import io.sluice.transport.buffer.DrainWatch;
import io.sluice.transport.counters.BreakReason;
import io.sluice.transport.counters.LiveCounters;
import io.sluice.transport.status.TransportCounter;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.Errno;
import io.sluice.verbs.WorkStatus;
import org.agrona.concurrent.NanoClock;

/**
 * The polling thread's side of a subscription: drains its completion queue, keeps its receives posted and reports to
 * its publications. This is the receiving data path, together with {@link InboundLink}.
 * <p>
 * One thread polls: the application's in INVOKER mode, a poller's otherwise. The conductor talks to it through
 * {@link ReceiverCommands} only.
 */
public final class Receiver extends LinkFeed {
    /** The most links whose next frame is read ahead: with more of them the reading costs more than it hides. */
    private static final int TOUCHED_LINKS = 2;

    /** The number of looks in a poll that finds nothing. Applications pause between two polls, for some 50 ns. */
    private static final int LOOKS = 8;

    /**
     * The number of looks that find frames between two at a completion queue in which only errors complete, a power of
     * two.
     */
    private static final int LOOKS_PER_DRAIN = 16;

    private final ReceiverCommands commands;
    private final DrainWatch drainWatch = new DrainWatch();
    private final ReceiverListener listener;
    private final LiveCounters counters;
    private final IdleTime idleTime;
    private final AttachedLinks links = new AttachedLinks();
    private final LinkSweep sweep;
    private final LinkIndex linkIndex = new LinkIndex();
    private final SingleImagePoll singleImagePoll;
    private CompletionQueue completions;
    private CompletionQueue feedbackCompletions;
    /** Whether a link was ever attached whose writes complete: from then on each look is at the queue, too. */
    private boolean areWritesCompleted;
    private int looksWithNews;
    /** The id of a completion of a batch for a link that no command has attached yet. */
    private long unknownId;
    private int unknownStatus;
    private int unknownImmediate;
    private long touched;
    private boolean failed;
    private boolean drained;
    /** Whether all completions of the last batch were of known links; {@link #batchResult} tells how it ended. */
    private boolean isKnown;
    private int batchResult;

    /**
     * Creates a receiver without links.
     *
     * @param completions         of the subscription's receives.
     * @param feedbackCompletions of its feedback writes.
     * @param listener            told what the conductor must act on.
     * @param counters            of the transport.
     * @param clock               that tells how long there has been no work.
     */
    public Receiver(
        final CompletionQueue completions,
        final CompletionQueue feedbackCompletions,
        final ReceiverListener listener,
        final LiveCounters counters,
        final NanoClock clock) {
        this.completions = completions;
        this.feedbackCompletions = feedbackCompletions;
        this.listener = listener;
        this.counters = counters;
        idleTime = new IdleTime(clock);
        sweep = new LinkSweep(links, clock);
        drainWatch.watch(completions);
        commands = new ReceiverCommands(this);
        singleImagePoll = new SingleImagePoll(commands);
    }

    /**
     * Look into shared logs and drain the completion queue, as much of both as one poll may take: links then know of
     * more bytes that have arrived. Polling thread.
     *
     * @return completions drained, shared logs with news and commands run.
     */
    @Override
    public int drain() {
        if (singleImagePoll.beginWholeWay()) {
            idleTime.end();
        }
        final int commandsRun = commands.run();
        int arrived = look();
        final boolean idle = arrived == 0 && idleTime.isWaiting();
        if (links.inactiveCount() > 0) {
            arrived += sweep.look(idle);
        } else if (idle && links.activeCount() <= TOUCHED_LINKS) {
            arrived = lookAgain();
        }
        return arrived + commandsRun;
    }

    /**
     * Looks for what has arrived: frames of logs that are shared, if their links are active, and completions, for which
     * it does not look each time where only errors complete.
     */
    private int look() {
        final int found = scan(idleTime.isWaiting() ? FrameReader.FIRST_MESSAGE : FrameReader.SCAN_LIMIT);
        if (found > 0 && !areWritesCompleted && (++looksWithNews & LOOKS_PER_DRAIN - 1) != 0) {
            return found;
        }
        return found + drainCompletions();
    }

    private int scan(final int messageLimit) {
        final InboundLink[] current = links.all();
        final int count = links.activeCount();
        int found = 0;
        for (int i = 0; i < count; i++) {
            found += current[i].logScan().find(messageLimit);
        }
        return found;
    }

    private int drainCompletions() {
        // once: a command that is run meanwhile may bring another one
        final CompletionQueue drainedQueue = completions;
        final int result = drainedQueue.startPoll();
        if (result != Errno.OK) {
            drained = result != Errno.EBUSY;
            if (drained) {
                drainWatch.onEmpty();
            }
            onPollResult(result);
            return 0;
        }
        final int limit = drainWatch.limit();
        final int maxBatch = drainedQueue.maxBatch();
        int count = 0;
        int length;
        do {
            length = drainBatch(drainedQueue, limit - count);
            count += length;
        } while (length == maxBatch && count < limit && startsAnother(drainedQueue));
        if (!isKnown) {
            dispatchUnknown();
        }
        drainWatch.onDrained(count);
        onPollResult(batchResult);
        return count;
    }

    /** Drains a batch that was started to its end. {@return its completions} */
    private int drainBatch(final CompletionQueue queue, final int room) {
        int count = 0;
        int next;
        boolean known;
        do {
            known = dispatch(queue, queue.workRequestId());
            next = ++count < room && known ? queue.nextPoll() : Errno.ENOENT;
        } while (next == Errno.OK);
        queue.endPoll();
        isKnown = known;
        batchResult = next;
        return count;
    }

    /** Starts another batch after one that was as long as any, which does not tell how many completions are waiting. */
    private boolean startsAnother(final CompletionQueue queue) {
        if (!isKnown || batchResult != Errno.ENOENT) {
            return false;
        }
        batchResult = queue.startPoll();
        return batchResult == Errno.OK;
    }

    /**
     * Look a few more times. Where writes complete it also reads each time where the next frames are expected: that
     * line is then on its way together with that of the completion, else these were two misses one after the other.
     */
    private int lookAgain() {
        int arrived = 0;
        for (int look = 1; arrived == 0 && look < LOOKS; look++) {
            arrived = areWritesCompleted ? touchAndLook() : scan(FrameReader.FIRST_MESSAGE);
        }
        return arrived;
    }

    private int touchAndLook() {
        for (final InboundLink link : links.all()) {
            touched += link.reader().touch(link.positions().received());
        }
        return look();
    }

    /** {@return whether the link is known, or what has completed is kept until the batch is over} */
    private boolean dispatch(final CompletionQueue drainedQueue, final long workRequestId) {
        final InboundLink link = linkIndex.find(workRequestId);
        final int status = drainedQueue.status();
        final int immediate = status == WorkStatus.SUCCESS ? drainedQueue.immediateData() : 0;
        if (link != null) {
            dispatch(link, status, immediate);
        } else if (commands.isPending()) {
            unknownId = workRequestId;
            unknownStatus = status;
            unknownImmediate = immediate;
            return false;
        } else {
            counters.countStale(status);
        }
        return true;
    }

    /**
     * Dispatches the completion that no link was known for: the peer was quicker than our own poll, as the link's
     * attachment was queued before the peer could write. Commands are not run within a batch: they may poll another
     * queue, and on some devices each holds a lock until it ends.
     */
    private void dispatchUnknown() {
        commands.run();
        final InboundLink link = linkIndex.find(unknownId);
        if (link == null) {
            counters.countStale(unknownStatus);
        } else {
            dispatch(link, unknownStatus, unknownImmediate);
        }
    }

    private void dispatch(final InboundLink link, final int status, final int immediate) {
        if (status != WorkStatus.SUCCESS) {
            fail(link, BreakReason.COMPLETION_ERROR);
        } else if (!link.onWrite(immediate)) {
            rejectPosition(link);
        } else {
            links.activate(link);
        }
    }

    /** Breaks a link whose peer tells a position that cannot be. Polling thread. */
    void rejectPosition(final InboundLink link) {
        counters.increment(TransportCounter.POSITIONS_REJECTED);
        fail(link, BreakReason.BAD_POSITION);
    }

    private void onPollResult(final int result) {
        if (result != Errno.ENOENT && result != Errno.EBUSY && !failed) {
            failed = true;
            listener.onCompletionQueueFailed(result);
        }
    }

    /**
     * Give receives back and report, as far as it is due. Polling thread, after the frames were handled.
     *
     * @param workCount completions and messages of this duty cycle.
     */
    @Override
    public void maintain(final int workCount) {
        final int polls = singleImagePoll.endWholeWay();
        if (workCount > 0) {
            idleTime.end();
            maintainLinks(false);
        } else if (idleTime.isReportDue(polls)) {
            report();
        }
        links.onPolled();
    }

    /** {@return the link whose next message is all that is waited for; null when there is none, or more to wait for} */
    InboundLink awaited() {
        return links.isOneAwaiting() ? links.all()[0] : null;
    }

    @Override
    public void report() {
        maintainLinks(true);
        links.onReported();
    }

    @Override
    public boolean arm() {
        return completions.requestNotify(false) == Errno.OK;
    }

    @Override
    public boolean isDrained() {
        return drained;
    }

    @Override
    public boolean isHeldUp() {
        return links.isHeldUp();
    }

    @Override
    public boolean isIdleMaintenanceDue() {
        return links.isIdleMaintenanceDue();
    }

    private void maintainLinks(final boolean idle) {
        final InboundLink[] current = links.all();
        final int count = idle ? links.dueCount() : links.activeCount();
        for (int i = 0; i < count; i++) {
            final InboundLink link = current[i];
            if (idle || link.isMaintenanceDue()) {
                if (link.isLive()) {
                    maintainLink(link, idle);
                }
                link.end().tell(link, listener);
            }
        }
    }

    private void maintainLink(final InboundLink link, final boolean idle) {
        if (!link.credits().repost(idle)) {
            fail(link, BreakReason.QUEUE_PAIR_ERROR);
        } else if (link.feedback().isDue(idle)) {
            final int result = link.feedback().hasRoom() ? Errno.OK : reapFeedback();
            if (result != Errno.OK && result != Errno.ENOENT && result != Errno.EBUSY) {
                // no report would ever leave again, and the publication would wait without a word
                fail(link, BreakReason.COMPLETION_ERROR);
            }
            if (link.isLive() && link.feedback().hasRoom() && !link.feedback().write()) {
                fail(link, BreakReason.QUEUE_PAIR_ERROR);
            }
        }
    }

    /** {@return the answer to starting a batch} */
    private int reapFeedback() {
        final int result = feedbackCompletions.startPoll();
        if (result != Errno.OK) {
            return result;
        }
        do {
            final InboundLink link = linkIndex.find(feedbackCompletions.workRequestId());
            if (link == null) {
                counters.countStale(feedbackCompletions.status());
            } else if (feedbackCompletions.status() != WorkStatus.SUCCESS || !link.feedback().onCompletion()) {
                fail(link, BreakReason.COMPLETION_ERROR);
            }
        } while (feedbackCompletions.nextPoll() == Errno.OK);
        feedbackCompletions.endPoll();
        return Errno.OK;
    }

    /**
     * Break a link: it delivers nothing more in this epoch. Polling thread.
     *
     * @param link   to break.
     * @param reason why.
     */
    @Override
    public void fail(final InboundLink link, final BreakReason reason) {
        if (link.isLive()) {
            if (!reason.isFatal()) {
                link.logScan().findAll();
            }
            link.quiesce();
            singleImagePoll.shut();
            links.activate(link);
            listener.onLinkFailed(link, reason);
        }
    }

    /** {@return the poll for when one message is all that is waited for} */
    SingleImagePoll singleImagePoll() {
        return singleImagePoll;
    }

    /** {@return the queue through which the conductor talks to this receiver} */
    public ReceiverCommands commands() {
        return commands;
    }

    @Override
    public InboundLink[] links() {
        return links.all();
    }

    @Override
    public int activeLinkCount() {
        return links.activeCount();
    }

    /** Makes a link active, as something happened to it. Polling thread. */
    void activate(final InboundLink link) {
        links.activate(link);
    }

    /** Run what the conductor has queued: for the conductor, when the polling thread has left for good. */
    public void drainCommands() {
        commands.run();
    }

    /** {@return the queue that is drained, where the receives complete} Polling thread. */
    public CompletionQueue completions() {
        return completions;
    }

    /** Tell when what waits in the queue now is drained. Polling thread. */
    void whenDrained(final Runnable listener) {
        drainWatch.whenDrained(completions, listener);
    }

    /** {@return whether the feedback writes that are done were reaped: not while the device keeps polls out} */
    boolean reapAllFeedback() {
        int result = Errno.OK;
        while (result == Errno.OK) {
            result = reapFeedback();
        }
        return result != Errno.EBUSY;
    }

    /** Drain another queue from now on, in the place of one that has overrun. Polling thread. */
    void completions(final CompletionQueue replacement) {
        completions = replacement;
        drainWatch.onEmpty();
        drainWatch.watch(replacement);
        failed = false;
    }

    /** Reaps another queue of feedback writes from now on, in the place of one that has overrun. Polling thread. */
    void feedbackCompletions(final CompletionQueue replacement) {
        feedbackCompletions = replacement;
    }

    ReceiverListener listener() {
        return listener;
    }

    /** {@return the watch that says how full the queue of receives was found} Any thread may ask for the count. */
    public DrainWatch drainWatch() {
        return drainWatch;
    }

    void begin(final InboundLink link, final InboundEpoch epoch) {
        // it may have grown for this epoch
        drainWatch.watch(completions);
        link.begin(epoch);
        links.activate(link);
        sweep.onEpoch(epoch);
        areWritesCompleted |= !epoch.memoryCompletion();
    }

    void attach(final InboundLink link, final InboundEpoch epoch) {
        linkIndex.put(epoch.receives().workRequestId(), link);
        links.add(link);
        begin(link, epoch);
    }

    void detach(final InboundLink link) {
        link.quiesce();
        links.remove(link);
        linkIndex.remove(link);
    }
}
