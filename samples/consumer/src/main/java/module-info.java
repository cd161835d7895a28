/** A program of a user, as a module. */
module demo {
    requires io.sluice.transport;
}
