package io.sluice.verbs;

/**
 * Limits and abilities of a device (ibv_query_device(3)).
 *
 * @param maxCompletionQueueEntries largest completion queue.
 * @param maxQueuePairWorkRequests  largest send or receive queue.
 * @param reliableConnected         whether it makes reliable connected queue pairs; some have datagrams only.
 * @param maxInlineData             largest inline range that a queue pair may ask for, in bytes; 0 where the device
 *                                  takes none, or takes any and is not to be believed.
 * @param maxMemoryRegionLength     largest region, in bytes.
 * @param completionFields          {@link CompletionField} bits that completion queues can make readable.
 * @param completionQueueFlags      {@link CompletionQueueFlags} bits that completion queues can be created with.
 * @param completionQueueResizing   whether completion queues can be resized.
 * @param completionVectors         vectors that the events of completion queues can come by.
 * @param parentDomains             whether it has {@link ProtectionDomain#allocateParentDomain() parent domains}.
 * @param maxReadAtomic             most READs and atomics that a queue pair may have under way.
 * @param maxDestinationReadAtomic  most READs and atomics that a queue pair answers at a time.
 * @param atomics                   whether it has atomics.
 * @param maxSharedReceiveWorkRequests largest shared receive queue; 0 when the device has none.
 * @param maxDatagramLength         largest message of a datagram queue pair, in bytes: the port's active MTU; 0 when
 *                                  there are no datagrams.
 * @param sharesMemory              whether a peer on this host can map a region ({@link MemoryRegion#shareToken()}).
 * @param capabilities              {@link DeviceCapability} bits ({@code device_cap_flags}).
 * @param clock                     by which its completions are stamped.
 */
public record DeviceAttributes(
    int maxCompletionQueueEntries,
    int maxQueuePairWorkRequests,
    boolean reliableConnected,
    int maxInlineData,
    long maxMemoryRegionLength,
    int completionFields,
    int completionQueueFlags,
    boolean completionQueueResizing,
    int completionVectors,
    boolean parentDomains,
    int maxReadAtomic,
    int maxDestinationReadAtomic,
    boolean atomics,
    int maxSharedReceiveWorkRequests,
    int maxDatagramLength,
    boolean sharesMemory,
    long capabilities,
    DeviceClock clock) {
}
