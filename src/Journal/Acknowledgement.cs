namespace EventHubThroughput.Journal;

/// <summary>One line of a consumer's record: a handler has acknowledged an event, or a checkpoint is about to be stored.</summary>
/// <param name="Line">Its number, from 1. Lines are in the order in which the consumer wrote them.</param>
/// <param name="Partition">The partition.</param>
/// <param name="Sequence">The sequence number of the event, or the position of the checkpoint.</param>
/// <param name="Handler">The name of the handler. Null for a checkpoint.</param>
public readonly record struct Acknowledgement(long Line, string Partition, long Sequence, string? Handler);
