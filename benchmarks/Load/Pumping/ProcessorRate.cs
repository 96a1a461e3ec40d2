using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Processor;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Load.Bare;
using EventHubThroughput.Pump;
using EventHubThroughput.Pump.Azure;

namespace EventHubThroughput.Load.Pumping;

/// <summary>
/// A processor of the package's base class on a hub of one partition, with the batches and the prefetch of a consumer run. For each event its handler
/// concurrently sends a message and stores a blob, with the clients of the packages.
/// </summary>
/// <param name="clock">The clock.</param>
internal sealed class ProcessorRate(TimeProvider clock)
{
    /// <summary>Events in flight under a pump.</summary>
    public const int Concurrency = 32;

    /// <summary>The latencies.</summary>
    public const string Profile = "article-spread";

    private static readonly EventHubProcessorOptions Options = new()
    {
        Identifier = "pump",
        BatchSize = 10,
        Prefetch = 300,
    };

    /// <summary>The rate after the first quarter of the events.</summary>
    /// <param name="events">The events that are sent first.</param>
    /// <param name="pumped">Whether the processor uses a pump. Otherwise it handles events in turn.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public async Task<double> MeasureAsync(int events, bool pumped, CancellationToken cancellationToken)
    {
        using var journal = new TemporaryFile();

        // A journal replaces no file of another kind.
        File.Delete(journal.Path);
        await using var emulator = await EmulatorProcess.StartAsync(
            CeilingLoads.RetentionBytes,
            null,
            ["--profile", Profile, "--journal", journal.Path, "--journal-properties", "eht-run,eht-index"],
            clock,
            cancellationToken,
            partitions: 1
        );
        await CeilingLoads.FillAsync(emulator, events, CeilingLoads.Stamp, cancellationToken, partitions: 1);
        await using var clients = new BareClients(emulator.Settings);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var meter = new BacklogMeter(events, events / 4, stop.Cancel, clock, () => Spent.By(emulator));
        async ValueTask HandleAsync(ProcessEventArgs args, CancellationToken token)
        {
            await BareLoads.WriteAsync(args.Partition.PartitionId, args.Data, clients, token);
            meter.Add(1);
        }

        await using var pump = EventPump.Unordered<ProcessEventArgs>(Concurrency, HandleAsync);
        var processor = new BareProcessor(
            clients,
            Options,
            async (partitionId, batch, owner, token) =>
            {
                var context = EventHubsModelFactory.PartitionContext("127.0.0.1", clients.EventHubName, "$Default", partitionId);
                foreach (var one in batch)
                {
                    var args = new ProcessEventArgs(context, one, each => owner.CheckpointAsync(partitionId, one, each), token);
                    await (pumped ? pump.AcceptAsync(args) : HandleAsync(args, token).AsTask());
                }

                if (!pumped)
                {
                    await owner.CheckpointAsync(partitionId, batch[^1], token);
                }
            }
        );
        await processor.RunAsync(stop.Token);
        return meter.Measured.Rate;
    }
}
