using System.Diagnostics;
using System.Diagnostics.Metrics;
using EventHubThroughput.Clients;

namespace EventHubThroughput.Processing.Telemetry;

/// <summary>The instruments of a processing, with the names of OpenTelemetry for messaging.</summary>
internal sealed class ProcessingInstruments : IDisposable
{
    /// <summary>The name of the meter and of the source of activities.</summary>
    public const string Name = "EventHubThroughput.Processing";

    // The advice of OpenTelemetry for durations of messaging, in seconds.
    private static readonly InstrumentAdvice<double> Durations = new()
    {
        HistogramBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    };

    private readonly Meter? owned;

    /// <param name="meters">Creates the meter and disposes of it. Null creates one here.</param>
    public ProcessingInstruments(IMeterFactory? meters)
    {
        var meter = meters?.Create(new MeterOptions(Name)) ?? (owned = new Meter(Name));
        Consumed = meter.CreateCounter<long>("messaging.client.consumed.messages", "{message}", "Events handed over to the strategy.");
        Duration = meter.CreateHistogram(
            "messaging.process.duration",
            "s",
            "From the first write of an event to its last acknowledgement.",
            tags: null,
            Durations
        );
        Operations = meter.CreateHistogram(
            "messaging.client.operation.duration",
            "s",
            "One wait for the next batch, or one attempt to store a checkpoint.",
            tags: null,
            Durations
        );
    }

    public ActivitySource Activities { get; } = new(Name);

    public Counter<long> Consumed { get; }

    public Histogram<double> Duration { get; }

    public Histogram<double> Operations { get; }

    public void Dispose()
    {
        Activities.Dispose();
        owned?.Dispose();
    }

    /// <summary>The attributes that all measurements of a partition share.</summary>
    public static TagList GetTags(MessagingSettings settings, string partition, string operation) =>
        [
            new("messaging.system", "eventhubs"),
            new("messaging.operation.name", operation),
            new("messaging.destination.name", settings.EventHubName),
            new("messaging.consumer.group.name", settings.ConsumerGroup),
            new("messaging.destination.partition.id", partition),
            new("server.address", settings.EventHubNamespace),
        ];
}
