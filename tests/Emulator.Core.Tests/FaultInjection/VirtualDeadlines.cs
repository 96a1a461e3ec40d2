using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Emulator.Core.Tests.FaultInjection;

/// <summary>Deadlines of a virtual clock, exact to its tick.</summary>
internal sealed class VirtualDeadlines(VirtualClock clock) : IDeadlines
{
    public TimeProvider Clock => clock;

    public TimeSpan Wake { get; init; }

    public async ValueTask UntilAsync(long timestamp, CancellationToken cancellationToken)
    {
        var left = timestamp - clock.GetTimestamp();
        if (left > 0)
        {
            await clock.DelayAsync(TimeSpan.FromTicks(left), cancellationToken);
        }
    }
}
