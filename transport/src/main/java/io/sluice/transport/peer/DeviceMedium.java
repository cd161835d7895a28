package io.sluice.transport.peer;

import io.sluice.codec.control.GoodbyeReason;
import io.sluice.transport.agent.Failures;
import io.sluice.transport.agent.Services;
import io.sluice.transport.agent.Tasks;
import io.sluice.transport.settings.TransportParameters;
import io.sluice.transport.status.ErrorKind;
import io.sluice.verbs.AsyncEventType;
import io.sluice.verbs.CompletionQueue;
import io.sluice.verbs.VerbsException;

/**
 * A medium with its sessions: what is made from its device, who is met there and how. Conductor only, but for what
 * {@link Medium} lets any thread do.
 */
abstract class DeviceMedium implements SessionMedium, DeviceEvents.Concerned {
    private final TransportParameters parameters;
    private final Links links;
    private final Services services;
    private final ControlSessions sessions;
    private final DeviceEvents events;
    private final DeviceAbsence absence;

    DeviceMedium(final SessionContext context, final TransportParameters parameters) {
        links = context.links();
        services = context.services();
        this.parameters = parameters;
        sessions = new ControlSessions(this, context);
        events = new DeviceEvents(this, services, parameters.device().name());
        absence = new DeviceAbsence(parameters.device(), sessions, context);
    }

    @Override
    public final TransportParameters parameters() {
        return parameters;
    }

    final Links links() {
        return links;
    }

    @Override
    public final Services services() {
        return services;
    }

    final Tasks tasks() {
        return services.tasks();
    }

    final Failures failures() {
        return services.failures();
    }

    @Override
    public final ControlSessions sessions() {
        return sessions;
    }

    /** Accepts who comes and looks for others. */
    abstract int meet(long nowNs);

    /**
     * Notes that addresses of the device, or ways from it, may be others now: what could not be met is tried at once.
     */
    abstract void onAddressesChanged();

    /** Stop listening. */
    abstract void stopListening();

    final int doWork(final long nowNs) {
        final int work = takeEvents() + absence.doWork(nowNs);
        return work + (absence.isAway() ? 0 : meetOthers(nowNs)) + sessions.doWork(nowNs);
    }

    private int meetOthers(final long nowNs) {
        try {
            return meet(nowNs);
        } catch (final VerbsException ex) {
            // for want of a descriptor, for example: those that were met before must hear from us all the same
            failures().report(ErrorKind.CONNECTION_FAILED, "cannot look for peers", ex);
            return 0;
        }
    }

    @Override
    public final boolean isAway() {
        return absence.isAway();
    }

    @Override
    public final int takeEvents() {
        try {
            return parameters.device().poll(events);
        } catch (final VerbsException ex) {
            // heartbeats must leave, whatever the device refuses
            failures().report(ErrorKind.DEVICE_FAILED,
                "cannot take events of device " + parameters.device().name(), ex);
            return 0;
        }
    }

    @Override
    public final void onOverrun(final CompletionQueue overrun) {
        links.onOverrun(overrun);
        sessions.onOverrun(overrun);
    }

    @Override
    public final void onGone(final AsyncEventType type) {
        absence.onTold(type);
    }

    @Override
    public final void onWaysChanged() {
        links.onWaysChanged(this);
        onAddressesChanged();
    }

    /** Say goodbye to everybody and stop listening. */
    final void close(final GoodbyeReason reason) {
        absence.close();
        stopListening();
        sessions.close(reason);
    }
}
