/** A program of a user, as a module. */
module demo {
    requires io.sluice.transport;

    // MessageDispatcher reads what decoders say of their fields
    exports demo.prices to io.sluice.transport;
}
