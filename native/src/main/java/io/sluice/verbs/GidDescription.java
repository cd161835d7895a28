package io.sluice.verbs;

/**
 * An address of a port (ibv_query_gid(3)). Plain data; any thread.
 *
 * @param index            in the port's table.
 * @param address          as an IPv6 address; an IPv4 one is shown as {@code ::ffff:10.0.0.1}.
 * @param type             {@code "RoCE v2"}, {@code "IB/RoCE v1"}, or empty when the kernel does not tell.
 * @param networkInterface of the kernel that it belongs to, or empty.
 * @param isChosen         whether a queue pair gets it where neither the route to its peer nor a wish decides.
 */
public record GidDescription(int index, String address, String type, String networkInterface, boolean isChosen) {
}
