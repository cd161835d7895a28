package io.sluice.verbs.software;

import java.io.IOException;

/** An object that others find by files of the fabric, which somebody may remove. Any thread. */
interface NamedFiles {
    /** Find one of its files that is gone, and say what that means; null when all are there. */
    String missing();

    /** Make anew those that are gone; the fabric's lock is held. */
    void restoreFiles() throws IOException;

    /** Kinds, in the order in which they are looked at. */
    enum Kind {
        /** Listeners, with sockets and entries among the services. */
        LISTENER,
        /** Completion channels, with sockets. */
        CHANNEL,
        /** Completion queues. */
        COMPLETION_QUEUE,
        /** Protection domains, with the headers of their regions. */
        DOMAIN
    }
}
