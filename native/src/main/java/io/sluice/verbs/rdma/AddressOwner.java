package io.sluice.verbs.rdma;

import io.sluice.verbs.VerbsException;
import io.sluice.verbs.foreign.SetupCall;
import io.sluice.verbs.rdma.generated.ibv_context;
import io.sluice.verbs.rdma.generated.rdma_constants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.agrona.UnsafeApi;

/**
 * Finds the device that has an address of this machine, as the connection manager finds it when the address is bound:
 * also where no GID is made of the address, as with IP over InfiniBand. Stateless; any thread.
 */
final class AddressOwner {
    private AddressOwner() {
    }

    /**
     * Name of the device.
     *
     * @param address literal, of this machine.
     * @return the name; empty when no device has the address, and where there is no connection manager to ask.
     */
    static String find(final VerbsLibrary verbs, final String address) {
        try {
            final ConnectionLibrary library = verbs.connectionManager();
            final SetupCall.Result channel = library.createEventChannel.invoke();
            if (channel.value() == 0) {
                return "";
            }
            try {
                return find(verbs, library, channel.value(), InetAddress.ofLiteral(address));
            } finally {
                library.destroyEventChannel.invoke(channel.value());
            }
        } catch (final VerbsException e) {
            // No librdmacm: who connects or listens hears of it.
            return "";
        }
    }

    private static String find(
        final VerbsLibrary verbs, final ConnectionLibrary library, final long channel, final InetAddress address) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment pointer = arena.allocate(ValueLayout.JAVA_LONG);
            if (library.createId.invoke(channel, pointer, 0L, rdma_constants.RDMA_PS_TCP()).error() != 0) {
                return "";
            }
            final long id = pointer.get(ValueLayout.JAVA_LONG, 0);
            try {
                final MemorySegment socket = SocketAddresses.encode(new InetSocketAddress(address, 0), arena);
                return library.bindAddress.invoke(id, socket).error() == 0 ? deviceOf(verbs, id) : "";
            } finally {
                library.destroyId.invoke(id);
            }
        }
    }

    /** Name of the device that the connection manager has found for an identifier; empty when there is none yet. */
    static String deviceOf(final VerbsLibrary verbs, final long id) {
        final long context = IdentifierFields.context(id);
        return context == 0 ? ""
            : DeviceList.nameOf(verbs, UnsafeApi.getLong(context + ibv_context.device$offset()));
    }
}
