using EventHubThroughput.Model.Simulating;

namespace EventHubThroughput.Model.Predicting;

/// <summary>
/// A run in virtual time, by the documented rules of strategies, processing and laboratory: when each event is written, how long every operation takes, and
/// which operation waits for which. Only a quota causes failures. It includes no processor time except that of the handlers' work, and no network. So it
/// shows the rate of a machine with spare capacity.
/// </summary>
internal static class Simulation
{
    // The fewest batches in all and of each partition, and the fewest events as a multiple of those in flight. The last value is the upper limit of events.
    private const int LeastBatches = 40;
    private const int LeastBatchesOfOne = 4;
    private const int LeastWaves = 10;
    private const int MostEvents = 150_000;

    // The most moments for each event: if a quota refuses nearly everything, the simulation still ends.
    private const long MostMoments = 40;

    /// <summary>Simulates a run.</summary>
    /// <param name="settings">The run.</param>
    /// <param name="rule">The rule of its strategy.</param>
    /// <returns>Its results. Null if no operation takes any time, so that there is no rate.</returns>
    public static SimulatedFigures? Run(ModelSettings settings, StrategyRule rule)
    {
        // A key has one partition, so partitions without keys stay empty.
        var partitions = settings.Keys > 0 ? Math.Min(settings.Partitions, settings.Keys) : settings.Partitions;
        var wanted = GetWanted(settings, rule, partitions);
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

    private static int GetWanted(ModelSettings settings, StrategyRule rule, int partitions)
    {
        long most = Math.Max(settings.Events, MostEvents);
        var least = rule.IsBarrier
            ? (long)settings.Batch * rule.BatchesPerCheckpoint(settings) * Math.Max(LeastBatches, LeastBatchesOfOne * partitions)
            : (long)LeastWaves * settings.Degree * partitions;
        return (int)Math.Clamp(least, settings.Events, most);
    }
}
