using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.FaultInjection;

/// <summary>Answers immediately. This is the profile for upper limits.</summary>
internal sealed class NoLatency : ILatency
{
    private NoLatency() { }

    public static NoLatency Instance { get; } = new();

    public long Now => 0;

    public long Before(TimeSpan ago, int wakes) => 0;

    public ValueTask<Admission> ApplyAsync(EmulatedOperation operation, Load load, long arrivedAt, CancellationToken cancellationToken) => default;
}
