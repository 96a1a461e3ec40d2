using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies;

/// <summary>A destination that every event must be written to.</summary>
public interface ISink
{
    /// <summary>The sink's name in metrics and reports: lower case, no blanks.</summary>
    string Name { get; }

    /// <summary>Writes one event. Completes when the destination has acknowledged it; throws when it has not.</summary>
    ValueTask<WriteOutcome> WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken);
}

/// <summary>How one write went; all that an adaptive strategy may know of it.</summary>
/// <param name="Elapsed">From the first attempt to the acknowledgement.</param>
/// <param name="Attempts">How many attempts it took; at least 1.</param>
/// <param name="Throttled">Whether the destination asked to slow down at least once.</param>
public readonly record struct WriteOutcome(TimeSpan Elapsed, int Attempts, bool Throttled);
