using EventHubThroughput.Journal;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>
/// Follows the journal through kills and restarts: sees when a restarted consumer gets its first event, and how many checkpoints
/// it has stored. One caller at a time.
/// </summary>
internal sealed class RestartWatch(JournalTail tail) : IDisposable
{
    // Every owner's link has a separate name, so one not seen before belongs to the newest consumer.
    private readonly HashSet<string> links = new(StringComparer.Ordinal);
    private bool first;

    /// <summary>Checkpoints stored since the newest consumer was started.</summary>
    public int Checkpoints { get; private set; }

    /// <summary>Whether the newest consumer has been given an event.</summary>
    public bool Delivered => !first;

    /// <summary>From here on a new consumer is watched.</summary>
    public void Begin()
    {
        Look();
        first = true;
        Checkpoints = 0;
    }

    /// <summary>Reads the records since the last call.</summary>
    public void Look()
    {
        foreach (var record in tail.Look())
        {
            if (record is EventDelivered { OwnerLevel: not null } delivered && links.Add(delivered.Link))
            {
                first = false;
            }

            Checkpoints += record is CheckpointWritten { Moment: WriteMoment.Stored } ? 1 : 0;
        }
    }

    public void Dispose() => tail.Dispose();
}
