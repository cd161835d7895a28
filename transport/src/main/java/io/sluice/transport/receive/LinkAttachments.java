package io.sluice.transport.receive;

/**
 * What others keep with a link, which the link itself does not look at: what belongs to it, its place among its
 * receiver's links, and what is for people.
 */
public abstract sealed class LinkAttachments permits InboundLink {
    /** {@link #place()}: the link is not attached to a receiver. */
    static final int NO_PLACE = -1;

    private final ToldPosition toldPosition = new ToldPosition();
    private InboundLinkOwner owner;
    private volatile Object view;
    private volatile String badFrame = "";
    private long messages;
    private int place = NO_PLACE;
    private long receivedBefore;

    LinkAttachments() {
    }

    /** {@return messages handed out} Any thread, perhaps late. */
    public long messages() {
        return messages;
    }

    /**
     * Messages were handed out on the polling thread itself, which calls this.
     *
     * @param count of them.
     */
    public void onHandled(final int count) {
        messages += count;
    }

    /** {@return how far the publication says it has come, on its way to the polling thread} */
    ToldPosition toldPosition() {
        return toldPosition;
    }

    /** {@return what the application sees of the link, or null while messages must not be handed out} Any thread. */
    public Object view() {
        return view;
    }

    /**
     * Hand messages out from now on. Any thread.
     *
     * @param newView what the application sees of the link.
     */
    public void view(final Object newView) {
        view = newView;
    }

    /** {@return what stood where walking ended, for people; empty before {@link InboundLink#truncate}} Any thread. */
    public String badFrame() {
        return badFrame;
    }

    void badFrame(final String description) {
        badFrame = description;
    }

    /** {@return where the link stands in {@link AttachedLinks}, or {@link #NO_PLACE}} Polling thread. */
    int place() {
        return place;
    }

    void place(final int newPlace) {
        place = newPlace;
    }

    /** {@return how far the link was when {@link AttachedLinks} looked whether anything arrives} Polling thread. */
    long receivedBefore() {
        return receivedBefore;
    }

    void receivedBefore(final long position) {
        receivedBefore = position;
    }

    /** {@return who is told of what happens to the link, or null} Any thread. */
    public InboundLinkOwner owner() {
        return owner;
    }

    /**
     * Say who is told of what happens to the link. Conductor, before the link is attached to a receiver.
     *
     * @param newOwner to tell, on the conductor.
     */
    public void owner(final InboundLinkOwner newOwner) {
        owner = newOwner;
    }
}
