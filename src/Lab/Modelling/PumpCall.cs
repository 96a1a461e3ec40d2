using EventHubThroughput.Pump;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Lab.Modelling;

/// <summary>The call of an event pump (docs/library.md) that corresponds to a strategy, as C#.</summary>
internal static class PumpCall
{
    /// <param name="order">The order that the strategy guarantees.</param>
    /// <param name="degree">Its degree.</param>
    /// <param name="window">Its window. Null leaves the default of the pump.</param>
    /// <param name="checkpointEvents">The events between checkpoints. Null leaves the default of the pump.</param>
    /// <returns>The lines.</returns>
    public static IEnumerable<string> Of(OrderingGuarantee order, int degree, int? window, int? checkpointEvents)
    {
        if (order == OrderingGuarantee.Partition)
        {
            yield return $"await using var pump = EventPump.{nameof(EventPump.InOrder)}<EventData>(HandleAsync);";
            yield break;
        }

        var (method, key) = order == OrderingGuarantee.Key ? (nameof(EventPump.ByKey), "one => one.PartitionKey, ") : (nameof(EventPump.Unordered), "");
        string[] options =
        [
            .. window is { } most ? new[] { $"{nameof(EventPumpOptions.Window)} = {most}" } : [],
            .. checkpointEvents is { } events ? new[] { $"{nameof(EventPumpOptions.CheckpointEvents)} = {events}" } : [],
        ];
        if (options.Length > 0)
        {
            yield return $"var options = new EventPumpOptions {{ {string.Join(", ", options)} }};";
        }

        yield return $"await using var pump = EventPump.{method}<EventData>({key}maxConcurrency: {degree}, HandleAsync{(options.Length > 0 ? ", options" : "")});";
    }
}
