using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Lab.Harness;

/// <summary>The pump as a run has it, on one partition that sends no request to a service. Its sinks have acknowledged when they are called.</summary>
/// <param name="clock">The clock.</param>
internal sealed class NullSinkPump(TimeProvider clock)
{
    /// <summary>The strategy.</summary>
    public required StrategyDescriptor Strategy { get; init; }

    /// <summary>Its degree.</summary>
    public int Degree { get; init; } = 1;

    /// <summary>Whether checkpoints are made as usual. Else none before the end.</summary>
    public bool Checkpoints { get; init; }

    /// <summary>Whether observers measure, as those of a run do.</summary>
    public bool Measures { get; init; }

    private static readonly string[] Sinks = ["servicebus", "blob"];

    // A host that is never connected to.
    private static readonly MessagingSettings Nowhere = MessagingSettings
        .FromEnvironment(
            static name =>
                name switch
                {
                    "EVENTHUB_CONNECTION_STRING" => "Endpoint=sb://nowhere.example;SharedAccessKeyName=none;SharedAccessKey=bm9uZQ==",
                    "EVENTHUB_NAME" => "none",
                    _ => null,
                },
            SettingsScope.Sender
        )
        .Require();

    /// <summary>Opens the partition, runs the work, and closes the partition unless the work did.</summary>
    /// <param name="work">Hands events over.</param>
    /// <param name="cancellationToken">Cancels it.</param>
    /// <returns>The result of <paramref name="work"/>.</returns>
    /// <exception cref="InvalidOperationException">An error in the pump, so that the figures mean nothing.</exception>
    public async Task<T> RunAsync<T>(Func<NullSinkPartition, Task<T>> work, CancellationToken cancellationToken)
    {
        using var measurement = new RunMeasurement(clock, emulator: null, new RunStages(Sinks));
        var run = new RunOptions
        {
            Run = "harness",
            Processing = new ProcessingOptions
            {
                Strategy = Strategy,
                MaxConcurrency = Degree,
                BatchSize = NullSinkEvents.BatchSize,
                // A limit that is never reached.
                Checkpoints = Checkpoints ? new CheckpointOptions() : new CheckpointOptions { Events = ProcessingOptions.MostCheckpointEvents },
            },
        };
        var metrics = new ConsumerMetrics(new MetricRegistry(), run, version: "0", 1, measurement, clock);
        var options = run.Processing with
        {
            Observers = partition => Measures ? [new PartitionMeters(partition, measurement, metrics, clock)] : [],
            TimeProvider = clock,
        };
        var done = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var clients = new NullSinkClients(async partition => done.TrySetResult(await work(partition)));
        await using var pump = new EventHubProcessing(
            clients,
            Nowhere,
            options,
            new SinkDescriptor(Sinks[0], "", static _ => new NullBatchSink(Sinks[0])),
            new SinkDescriptor(Sinks[1], "", static _ => new NullSink(Sinks[1]))
        );
        var result = await pump.RunAsync(token => done.Task.WaitAsync(token), cancellationToken);
        cancellationToken.ThrowIfCancellationRequested();
        return result.Faults.Count == 0 ? await done.Task : throw new InvalidOperationException(result.Faults[0].Message);
    }
}
