namespace EventHubThroughput.Emulator.Messages;

/// <summary>What became of messages that were sent, in their order.</summary>
/// <param name="Sequences">Their numbers. 0 for those that no queue of this entity keeps.</param>
/// <param name="Arrivals">The numbers of their arrival. 0 for duplicates, which were taken and dropped.</param>
internal sealed record Receipt(IReadOnlyList<long> Sequences, IReadOnlyList<long> MessageEnqueuer)
{
    public bool IsDuplicate(int index) => MessageEnqueuer[index] == 0;
}
