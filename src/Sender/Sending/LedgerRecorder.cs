using EventHubThroughput.CommandLine;
using EventHubThroughput.Journal;
using EventHubThroughput.Journal.Files;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Sender.Sending;

/// <summary>Writes the outcome of every event to the ledger, if there is one, and counts it. Safe for several lanes.</summary>
internal sealed class LedgerRecorder : IDisposable
{
    private readonly string? path;
    private readonly string hub;
    private readonly SendCounters counters;

    // Serializes the lanes' access to the ledger.
    private readonly Lock gate = new();
    private readonly LedgerWriter? ledger;

    /// <summary>Opens a new ledger next to the final path before anything is sent. Without a path nothing is written.</summary>
    /// <exception cref="FailureException">The ledger cannot be written.</exception>
    public LedgerRecorder(string? path, string hub, SendCounters counters)
    {
        this.path = path;
        this.hub = hub;
        this.counters = counters;
        try
        {
            ledger = path is null ? null : LedgerWriter.OpenBeside(path);
        }
        catch (Exception exception) when (OutputFile.IsFailure(exception))
        {
            throw NotWritable(exception);
        }
    }

    /// <summary>Replaces an older ledger. Events may be sent from here on.</summary>
    /// <exception cref="FailureException">The older ledger cannot be replaced.</exception>
    public void Begin()
    {
        try
        {
            ledger?.Place();
        }
        catch (Exception exception) when (OutputFile.IsFailure(exception))
        {
            throw NotWritable(exception);
        }
    }

    /// <summary>Records events that were sent together.</summary>
    /// <exception cref="FailureException">The ledger cannot be written any more.</exception>
    public void Record(ReadOnlySpan<PendingEvent> events, SendOutcome outcome, DateTimeOffset actual)
    {
        switch (outcome)
        {
            case SendOutcome.Acked:
                counters.AddAcknowledged(events.Length);
                break;
            case SendOutcome.Failed:
                counters.AddFailed(events.Length);
                break;
            default:
                counters.AddUnknown(events.Length);
                break;
        }

        // The events of a batch are in the order of their times.
        counters.AddLate(events.IsEmpty ? 0 : actual.ToUnixTimeMilliseconds() - events[0].Stamp.Intended);
        if (ledger is null)
        {
            return;
        }

        try
        {
            lock (gate)
            {
                // For a caller that records without having called Begin.
                ledger.Place();
                foreach (var pending in events)
                {
                    var stamp = pending.Stamp;
                    ledger.Write(
                        new LedgerRow(
                            stamp.Run,
                            hub,
                            pending.Key,
                            stamp.Index,
                            stamp.KeyIndex,
                            stamp.Sha256,
                            stamp.Length,
                            stamp.Intended,
                            actual.ToUnixTimeMilliseconds(),
                            outcome
                        )
                    );
                }
            }
        }
        catch (Exception exception) when (OutputFile.IsFailure(exception))
        {
            throw NotWritable(exception);
        }
    }

    public void Dispose()
    {
        try
        {
            ledger?.Dispose();
        }
        catch (Exception exception) when (OutputFile.IsFailure(exception))
        {
            throw NotWritable(exception);
        }
    }

    private FailureException NotWritable(Exception cause) => new(FailureCause.NotWritable, $"--ledger {path}: {OutputFile.Describe(cause)}", cause);
}
