using EventHubThroughput.Events;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>Acknowledges, or throws, before its first await.</summary>
internal sealed class ImmediateSink(Action act) : ISink
{
    public string Name => "immediate";

    public ValueTask<WriteOutcome> WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
    {
        act();
        return ValueTask.FromResult(new WriteOutcome(TimeSpan.Zero, 1, Throttled: false));
    }
}
