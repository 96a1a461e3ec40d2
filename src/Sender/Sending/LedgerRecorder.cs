using EventHubThroughput.CommandLine;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Sender.Sending;

/// <summary>Writes every event's outcome to the ledger, if there is one, and counts it. Safe for several lanes.</summary>
internal sealed class LedgerRecorder : IDisposable
{
    private const int LedgerNotWritable = 5;

    private readonly string hub;
    private readonly SendCounters counters;

    // The lanes take turns at the ledger.
    private readonly Lock gate = new();
    private readonly LedgerWriter? ledger;

    /// <summary>Opens the ledger before anything is sent; without a path nothing is written.</summary>
    /// <exception cref="ExitException">The ledger cannot be written.</exception>
    public LedgerRecorder(string? path, string hub, SendCounters counters)
    {
        this.hub = hub;
        this.counters = counters;
        try
        {
            ledger = path is null ? null : LedgerWriter.Open(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw NotWritable(exception);
        }
    }

    /// <summary>Records events that were sent together.</summary>
    /// <exception cref="ExitException">The ledger cannot be written any more.</exception>
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

        if (ledger is null)
        {
            return;
        }

        try
        {
            lock (gate)
            {
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
        catch (IOException exception)
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
        catch (IOException exception)
        {
            throw NotWritable(exception);
        }
    }

    private static ExitException NotWritable(Exception cause) => new(LedgerNotWritable, $"--ledger: cannot be written: {cause.Message}", cause);
}
