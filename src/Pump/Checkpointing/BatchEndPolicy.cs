namespace EventHubThroughput.Pump.Checkpointing;

/// <summary>Decides at which batch ends the watermark is stored: at each, or at every so many-th.</summary>
/// <param name="every">At which.</param>
/// <param name="lastOfBacklog">The last event that waited at the start: nothing may follow that fills the count, so it is due at once. Null follows the partition.</param>
internal sealed class BatchEndPolicy(int every, long? lastOfBacklog)
{
    // Used by the session only.
    private int ended;

    /// <summary>Another batch is over. True when its end is to be stored.</summary>
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
