using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Harness;

/// <summary>Measures the work around the writes, in this process and within a quarter of a second.</summary>
internal static class HarnessOverhead
{
    private const int Rounds = 5;
    private const int EventsOfRound = 10_000;

    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Ends it at the next batch.</param>
    public static async Task<OverheadDetails> MeasureAsync(TimeProvider clock, CancellationToken cancellationToken)
    {
        var row = new NullSinkRow(clock, EventsOfRound);
        List<HarnessCost> without = [];
        List<HarnessCost> with = [];
        // In turn, so that other work of the machine disturbs all of them equally.
        for (var round = 0; round < Rounds; round++)
        {
            without.Add(await row.PumpAsync(measured: false, cancellationToken));
            with.Add(await row.PumpAsync(measured: true, cancellationToken));
        }

        var whole = Least(with);
        return new OverheadDetails
        {
            HarnessCpuUsPerEvent = whole.Nanoseconds / 1000,
            HarnessAllocatedBytesPerEvent = whole.Bytes,
            MetricsOnOffRatio = Least(without).Nanoseconds / whole.Nanoseconds,
        };
    }

    private static HarnessCost Least(IEnumerable<HarnessCost> costs) => costs.MinBy(static cost => cost.Nanoseconds);
}
