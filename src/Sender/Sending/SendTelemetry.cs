using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Reflection;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Telemetry.Otlp;

namespace EventHubThroughput.Sender.Sending;

/// <summary>
/// The telemetry that a sender exports to a collector, with the OpenTelemetry names for messaging. It counts events and measures sends. Each event has an
/// activity, whose context travels with the event, and each send has one.
/// </summary>
internal sealed class SendTelemetry : IAsyncDisposable
{
    /// <summary>The name of the meter and of the source of activities.</summary>
    public const string Name = "EventHubThroughput.Sender";

    // The buckets that OpenTelemetry advises for durations of messaging, in seconds.
    private static readonly InstrumentAdvice<double> Durations = new()
    {
        HistogramBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    };

    private readonly Meter meter = new(Name);
    private readonly ActivitySource activities = new(Name);
    private readonly OtlpExport export;
    private readonly Histogram<double> operations;
    private readonly KeyValuePair<string, object?>[] tags;
    private readonly string hub;

    private SendTelemetry(OtlpOptions collector, string run, MessagingSettings settings, SendCounters counters, Action<string> notice)
    {
        hub = settings.EventHubName;
        tags =
        [
            new("messaging.system", "eventhubs"),
            new("messaging.operation.name", "send"),
            new("messaging.destination.name", hub),
            new("server.address", settings.EventHubNamespace),
        ];
        operations = meter.CreateHistogram("messaging.client.operation.duration", "s", "One send of a batch.", tags: null, Durations);
        meter.CreateObservableCounter(
            "messaging.client.sent.messages",
            () =>
                new Measurement<long>[]
                {
                    new(counters.Acknowledged, tags),
                    new(counters.Failed, [.. tags, new("error.type", "refused")]),
                    new(counters.Unknown, [.. tags, new("error.type", "unanswered")]),
                },
            "{message}",
            "Events sent, by outcome."
        );
        export = OtlpExport.Start(collector, new OtlpResource("eventhub-sender", VersionOfProgram(), run) { Sources = [Name] }, notice);
    }

    /// <summary>Starts the export. Returns null if it is not requested.</summary>
    public static SendTelemetry? Start(OtlpOptions? collector, string run, MessagingSettings settings, SendCounters counters, Action<string> notice) =>
        collector is null ? null : new SendTelemetry(collector, run, settings, counters, notice);

    /// <summary>The properties of an event. A traced event also gets the context that its consumers link to.</summary>
    public IReadOnlyDictionary<string, object?> Traced(IReadOnlyDictionary<string, object?> properties)
    {
        using var activity = Begin("create", ActivityKind.Producer);
        return activity?.Id is { } parent
            ? new Dictionary<string, object?>(properties, StringComparer.Ordinal) { [TraceParent.Property] = parent, [TraceParent.OlderProperty] = parent }
            : properties;
    }

    /// <summary>Wraps a writer. Each send of the result is timed and is an activity.</summary>
    public IEventHubWriter Around(IEventHubWriter writer, TimeProvider timeProvider) => new Writer(writer, this, timeProvider);

    /// <summary>Exports the rest, within two seconds.</summary>
    public async ValueTask DisposeAsync()
    {
        await export.DisposeAsync();
        meter.Dispose();
        activities.Dispose();
    }

    private static string VersionOfProgram() =>
        typeof(SendTelemetry).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "unknown";

    private Activity? Begin(string operation, ActivityKind kind)
    {
        var activity = activities.StartActivity($"{operation} {hub}", kind);
        foreach (var (name, value) in activity is { IsAllDataRequested: true } ? tags : [])
        {
            activity!.SetTag(name, value);
        }

        return activity?.SetTag("messaging.operation.name", operation).SetTag("messaging.operation.type", operation);
    }

    private sealed class Writer(IEventHubWriter writer, SendTelemetry telemetry, TimeProvider timeProvider) : IEventHubWriter
    {
        public Task<IOutgoingEventBatch> CreateBatchAsync(string? partitionKey, string? partitionId, CancellationToken cancellationToken) =>
            writer.CreateBatchAsync(partitionKey, partitionId, cancellationToken);

        public async Task SendAsync(IOutgoingEventBatch batch, CancellationToken cancellationToken)
        {
            using var activity = telemetry.Begin("send", ActivityKind.Client)?.SetTag("messaging.batch.message_count", batch.Count);
            var began = timeProvider.GetTimestamp();
            try
            {
                await writer.SendAsync(batch, cancellationToken);
            }
            catch (Exception failure)
            {
                var error = failure is MessagingException known ? known.Kind.ToString() : failure.GetType().FullName;
                activity?.SetTag("error.type", error).SetStatus(ActivityStatusCode.Error);
                telemetry.operations.Record(timeProvider.GetElapsedTime(began).TotalSeconds, [.. telemetry.tags, new("error.type", error)]);
                throw;
            }

            telemetry.operations.Record(timeProvider.GetElapsedTime(began).TotalSeconds, telemetry.tags);
        }

        public ValueTask DisposeAsync() => writer.DisposeAsync();
    }
}
