namespace EventHubThroughput.Emulator.Messages;

/// <summary>The result of sending messages, in their order.</summary>
/// <param name="Sequences">Their sequence numbers. 0 for a message that no queue of this entity keeps.</param>
/// <param name="Arrivals">The numbers of their arrivals. 0 for duplicates, which were accepted and dropped.</param>
internal sealed record Receipt(IReadOnlyList<long> Sequences, IReadOnlyList<long> Arrivals)
{
    public bool IsDuplicate(int index) => Arrivals[index] == 0;
}
