namespace EventHubThroughput.Pump.Checkpointing;

/// <summary>Decides at which batch ends the watermark is stored: at each, or at every n-th.</summary>
/// <param name="every">The n.</param>
/// <param name="lastOfBacklog">
/// The last event that waited at the start. No event may follow to complete the count, so it is due immediately. Null follows the partition.
/// </param>
internal sealed class BatchEndPolicy(int every, long? lastOfBacklog)
{
    // Used only by the session.
    private int ended;

    /// <summary>Counts the end of a batch. True when its end is to be stored.</summary>
    /// <param name="last">Its last event.</param>
    public bool IsDueAt(long last)
    {
        if (++ended < every && !(last >= lastOfBacklog))
        {
            return false;
        }

        ended = 0;
        return true;
    }
}
