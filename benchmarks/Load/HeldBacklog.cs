using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Load;

/// <summary>Measures the emulator's memory for a million events of 1 KiB.</summary>
internal static class HeldBacklog
{
    private const int Events = 1_000_000;
    private const int BatchEvents = 500;
    private const int Lanes = 4;

    // MiB for the events, the service's annotations and the index.
    private const string MemoryLimit = "1300";

    // The same with room for data in transit. An emulator that needs more must fail.
    private const long HeapLimit = 1_500L * 1_024 * 1_024;

    private static readonly Dictionary<string, string> Runtime = new() { ["DOTNET_GCHeapHardLimit"] = HeapLimit.ToString("X", CultureInfo.InvariantCulture) };

    private static readonly byte[] Body = new byte[1_024];

    public static async Task<string> MeasureAsync(TimeProvider clock, CancellationToken cancellationToken)
    {
        await using var emulator = await EmulatorProcess.StartAsync(int.MaxValue, Runtime, ["--memory-limit", MemoryLimit], clock, cancellationToken);
        var before = emulator.ResidentBytes;
        await using var clients = emulator.CreateClients(ClientFamily.BuiltIn);
        await using var writer = clients.CreateEventHubWriter();
        await Task.WhenAll(Enumerable.Range(0, Lanes).Select(lane => SendAsync(writer, lane, cancellationToken)));
        long held = 0;
        foreach (var lane in Enumerable.Range(0, Lanes))
        {
            var partition = await clients.GetPartitionPropertiesAsync(lane.ToString(CultureInfo.InvariantCulture), cancellationToken);
            held += partition.LastSequenceNumber - partition.BeginSequenceNumber + 1;
        }

        return string.Create(
            CultureInfo.InvariantCulture,
            $"{held} events of 1 KiB held with --memory-limit {MemoryLimit} in a heap of at most {HeapLimit >> 20} MiB: resident {emulator.ResidentBytes / 1e6:F0} MB, {before / 1e6:F0} MB before"
        );
    }

    private static async Task SendAsync(IEventHubWriter writer, int lane, CancellationToken cancellationToken)
    {
        for (var sent = 0; sent < Events / Lanes; sent += BatchEvents)
        {
            var batch = await writer.CreateBatchAsync(null, lane.ToString(CultureInfo.InvariantCulture), cancellationToken);
            while (batch.Count < BatchEvents && batch.TryAdd(new OutgoingEvent { Body = Body })) { }

            await writer.SendAsync(batch, cancellationToken);
        }
    }
}
