namespace EventHubThroughput.Pump;

/// <summary>A failure that a pump reports.</summary>
/// <param name="PartitionId">The partition. Null where it is not known.</param>
/// <param name="SequenceNumber">
/// The position of the event among those accepted from the partition since it began, from 0. Null where the failure does not belong to an event.
/// </param>
/// <param name="Message">What failed, in one line.</param>
/// <param name="Exception">The exception of the handler or of the checkpoint function. Null when the pump itself found the failure.</param>
/// <param name="EndsPump">Whether the pump accepts no more events. A failed checkpoint is retried.</param>
public sealed record EventPumpFault(string? PartitionId, long? SequenceNumber, string Message, Exception? Exception, bool EndsPump)
{
    /// <inheritdoc/>
    public override string ToString() => PartitionId is null ? Message : $"partition {PartitionId}: {Message}";
}
