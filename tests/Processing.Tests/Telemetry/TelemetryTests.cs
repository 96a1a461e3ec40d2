using System.Diagnostics;
using System.Diagnostics.Metrics;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Processing.Telemetry;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Microsoft.Extensions.DependencyInjection;
using Xunit;

namespace EventHubThroughput.Processing.Tests.Telemetry;

/// <summary>The data of the meter and the source of activities, in the words of OpenTelemetry.</summary>
public sealed class TelemetryTests : IDisposable
{
    private static readonly MessagingSettings Settings = new()
    {
        EventHub = MessagingConnectionString.Parse("Endpoint=sb://hubs.example.net;SharedAccessKeyName=Root;SharedAccessKey=a2V5"),
        EventHubName = "hub",
        ConsumerGroup = "readers",
    };

    private readonly ServiceProvider services = new ServiceCollection().AddMetrics().BuildServiceProvider();
    private readonly ProcessingInstruments instruments;
    private readonly TelemetryObserver observer;
    private readonly BatchTraces batches;

    public TelemetryTests()
    {
        instruments = new ProcessingInstruments(services.GetRequiredService<IMeterFactory>());
        observer = new TelemetryObserver("3", Settings, instruments);
        batches = new BatchTraces(Settings, instruments.Activities);
    }

    [Fact]
    public void Counts_events_and_times_them_under_the_names_of_the_conventions()
    {
        List<string> measured = [];
        using var listener = Listen();
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => measured.Add(Line(instrument, value, tags)));
        listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => measured.Add(Line(instrument, value, tags)));
        listener.Start();

        observer.HandedOver(Some.Batch(10).Events, 10);
        observer.Completed(
            new EventCompletion
            {
                Event = Some.Event(0),
                Elapsed = TimeSpan.FromMilliseconds(250),
                DeadLettered = false,
            }
        );
        observer.Completed(
            new EventCompletion
            {
                Event = Some.Event(1),
                Elapsed = TimeSpan.FromSeconds(2),
                DeadLettered = true,
            }
        );

        const string Where =
            "messaging.destination.name=hub messaging.consumer.group.name=readers messaging.destination.partition.id=3 server.address=hubs.example.net";
        Assert.Equal(
            [
                $"messaging.client.consumed.messages {{message}} 10 messaging.system=eventhubs messaging.operation.name=receive {Where}",
                $"messaging.process.duration s 0.25 messaging.system=eventhubs messaging.operation.name=process {Where}",
                $"messaging.process.duration s 2 messaging.system=eventhubs messaging.operation.name=process {Where} error.type=dead_lettered",
            ],
            measured
        );
    }

    [Fact]
    public void Recording_allocates_nothing()
    {
        var measured = 0L;
        using var listener = Listen();
        listener.SetMeasurementEventCallback<long>((_, value, _, _) => measured += value);
        listener.SetMeasurementEventCallback<double>((_, _, _, _) => measured++);
        listener.Start();
        var events = Some.Batch(1).Events;
        RecordOften(events);
        Assert.Equal(2000, measured);

        Assert.Equal(0, Allocations.GetMinimum(() => RecordOften(events)));
    }

    [Fact]
    public async Task Each_try_of_a_write_is_an_activity_with_its_error()
    {
        List<Activity> ended = [];
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source == instruments.Activities,
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = ended.Add,
        };
        ActivitySource.AddActivityListener(listener);
        string? within = null;
        var sink = TracedSink.Around(
            new Sink(received =>
            {
                within = Activity.Current?.OperationName;
                if (received.SequenceNumber == 1)
                {
                    throw new MessagingException(FailureKind.Throttled, "slower");
                }
            }),
            Settings,
            instruments.Activities,
            batches
        );

        await sink.WriteAsync(Some.Event(0, "3"), CancellationToken.None);
        await Assert.ThrowsAsync<MessagingException>(async () => await sink.WriteAsync(Some.Event(1, "3"), CancellationToken.None));

        Assert.Equal("process hub", within);
        Assert.Equal([ActivityStatusCode.Unset, ActivityStatusCode.Error], ended.Select(activity => activity.Status));
        Assert.All(ended, activity => Assert.Equal(ActivityKind.Consumer, activity.Kind));
        Assert.Equal("3", ended[0].GetTagItem("messaging.destination.partition.id"));
        Assert.Equal("Throttled", ended[1].GetTagItem("error.type"));
    }

    [Fact]
    public async Task A_batch_sink_stays_one_and_its_operation_is_one_activity()
    {
        List<Activity> ended = [];
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source == instruments.Activities,
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = ended.Add,
        };
        ActivitySource.AddActivityListener(listener);
        var sink = Assert.IsType<IBatchSink<ReceivedEvent>>(
            TracedSink.Around(new Sink(_ => { }), Settings, instruments.Activities, batches),
            exactMatch: false
        );

        var outcomes = await sink.WriteBatchAsync(Some.Batch(4).Events, CancellationToken.None);

        Assert.Equal((7, 4), (sink.LargestBatch, outcomes.Count));
        Assert.Equal(4, Assert.Single(ended).GetTagItem("messaging.batch.message_count"));
        Assert.Equal("IOException", Assert.Single(ended).GetTagItem("error.type")?.ToString()?.Split('.')[^1]);
    }

    [Fact]
    public async Task A_write_is_within_the_activity_of_its_batch_and_both_are_linked_to_the_sender()
    {
        List<Activity> ended = [];
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source == instruments.Activities,
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = ended.Add,
        };
        ActivitySource.AddActivityListener(listener);
        var traces = batches.GetObserver("3");
        var sink = TracedSink.Around(new Sink(_ => { }), Settings, instruments.Activities, batches);
        var (first, second, third) = (Sent(0, 1), Sent(1, 2), Sent(2, 3));

        // As without a barrier: the first batch has ended before its last event is written.
        traces.BatchReceived(2, null);
        traces.HandedOver([first, second], 2);
        Assert.Null(Activity.Current);
        await sink.WriteAsync(first, CancellationToken.None);
        traces.BatchEnded(2, TimeSpan.Zero);
        traces.BatchReceived(1, TimeSpan.Zero);
        traces.HandedOver([third], 2);
        await sink.WriteAsync(second, CancellationToken.None);
        await sink.WriteAsync(third, CancellationToken.None);
        traces.BatchEnded(1, TimeSpan.Zero);

        var received = ended.Where(static activity => activity.OperationName == "receive hub").ToArray();
        var written = ended.Where(static activity => activity.OperationName == "process hub").ToArray();
        Assert.Equal([received[0].SpanId, received[0].SpanId, received[1].SpanId], written.Select(static activity => activity.ParentSpanId));
        Assert.Equal(["1", "2", "3"], written.Select(static activity => GetLink(Assert.Single(activity.Links))));
        Assert.Equal(
            [
                ["1", "2"],
                ["3"],
            ],
            received.Select(static activity => activity.Links.Select(GetLink).ToArray())
        );

        // The watermark has passed the first batch, which is then forgotten.
        traces.Completed(new EventCompletion(second, TimeSpan.Zero, 2, DeadLettered: false) { Watermark = 1 });
        Assert.Equal(received[1].Context, batches.GetContext(first));

        static string GetLink(ActivityLink link) => link.Context.SpanId.ToHexString().TrimStart('0');
    }

    [Fact]
    public void A_malformed_trace_context_is_not_linked()
    {
        Assert.Null(BatchTraces.GetLink(Some.Event(0)));
        Assert.Null(BatchTraces.GetLink(With("\u00a1\u000btraceparent\u00a1\u0004none")));
        Assert.NotNull(BatchTraces.GetLink(With($"\u00a1\u000dDiagnostic-Id\u00a1\u0037{GetContext(7)}")));
    }

    public void Dispose()
    {
        instruments.Dispose();
        services.Dispose();
    }

    private static string GetContext(int span) => $"00-0af7651916cd43dd8448eb211c80319c-{span:x16}-01";

    private static ReceivedEvent Sent(long sequence, int span) => With($"\u00a1\u000btraceparent\u00a1\u0037{GetContext(span)}", sequence);

    private static ReceivedEvent With(string properties, long sequence = 0) =>
        new()
        {
            PartitionId = "3",
            SequenceNumber = sequence,
            Offset = "0",
            Body = ReadOnlyMemory<byte>.Empty,
            EncodedProperties = System.Text.Encoding.Latin1.GetBytes(properties),
        };

    private void RecordOften(IReadOnlyList<ReceivedEvent> events)
    {
        for (var number = 0; number < 1000; number++)
        {
            observer.HandedOver(events, 1);
            observer.Completed(
                new EventCompletion
                {
                    Event = events[0],
                    Elapsed = TimeSpan.FromMilliseconds(1),
                    DeadLettered = false,
                }
            );
        }
    }

    private MeterListener Listen() =>
        new()
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (instrument == instruments.Consumed || instrument == instruments.Duration)
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };

    private static string Line<T>(Instrument instrument, T value, ReadOnlySpan<KeyValuePair<string, object?>> tags) =>
        $"{instrument.Name} {instrument.Unit} {value} {string.Join(' ', tags.ToArray().Select(tag => $"{tag.Key}={tag.Value}"))}";

    private sealed class Sink(Action<ReceivedEvent> write) : IBatchSink<ReceivedEvent>
    {
        public string Name => "sink";

        public int LargestBatch => 7;

        public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
        {
            write(receivedEvent);
            return ValueTask.CompletedTask;
        }

        public ValueTask<IReadOnlyList<Exception?>> WriteBatchAsync(IReadOnlyList<ReceivedEvent> events, CancellationToken cancellationToken) =>
            new([new IOException("disk"), .. events.Skip(1).Select(Exception? (_) => null)]);
    }
}
