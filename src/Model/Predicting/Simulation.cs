using EventHubThroughput.Model.Simulating;

namespace EventHubThroughput.Model.Predicting;

/// <summary>
/// A run in virtual time, from what the documents say of strategies, processing and laboratory: which event is written when, how long every operation
/// takes, who waits for whom. Nothing fails but what a quota refuses. No processor time is in it but that of the handlers' work, and no network: it is what a
/// machine with room would reach.
/// </summary>
internal static class Simulation
{
    // So many batches in all and of each partition, or so many times the events in flight. And of both no more than these.
    private const int LeastBatches = 40;
    private const int LeastBatchesOfOne = 4;
    private const int LeastWaves = 10;
    private const int MostEvents = 150_000;

    // Moments for each event at most: where a quota refuses nearly everything, the end comes all the same.
    private const long MostMoments = 40;

    /// <summary>Simulates a run.</summary>
    /// <param name="settings">The run.</param>
    /// <param name="rule">The rule of its strategy.</param>
    /// <returns>What it saw. Null where nothing takes any time, so that there is no rate.</returns>
    public static SimulatedFigures? Run(ModelSettings settings, StrategyRule rule)
    {
        // A key has one partition: others than those of the keys stay empty.
        var partitions = settings.Keys > 0 ? Math.Min(settings.Partitions, settings.Keys) : settings.Partitions;
        var wanted = WantedOf(settings, rule, partitions);
        var calendar = new Calendar();
        var tally = new SimulationCounters(wanted, rule.IsBarrier);
        var services = new SimulatedServices(calendar, settings, tally);
        var all = Enumerable
            .Range(0, partitions)
            .Select(number => new SimulatedPartition(calendar, services, settings, rule, tally, number, most: wanted + settings.Degree))
            .ToArray();
        Array.ForEach(all, static partition => partition.Start());
        var moments = 0L;
        calendar.Run(() => tally.IsOver || ++moments > MostMoments * wanted);
        return tally.Figures(calendar.Now, [.. all.Select(static partition => partition.BatchRate)], services.Throttles);
    }

    private static int WantedOf(ModelSettings settings, StrategyRule rule, int partitions)
    {
        long most = Math.Max(settings.Events, MostEvents);
        var least = rule.IsBarrier
            ? (long)settings.Batch * rule.BatchesPerCheckpoint(settings) * Math.Max(LeastBatches, LeastBatchesOfOne * partitions)
            : (long)LeastWaves * settings.Degree * partitions;
        return (int)Math.Clamp(least, settings.Events, most);
    }
}
