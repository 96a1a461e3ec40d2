using System.Diagnostics;
using System.Diagnostics.Metrics;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Hosting;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Microsoft.Extensions.DependencyInjection;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Hosting;

/// <summary>What the meter and the source of activities tell, in the words of OpenTelemetry.</summary>
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

    public TelemetryTests()
    {
        instruments = new ProcessingInstruments(services);
        observer = new TelemetryObserver("3", Settings, instruments);
    }

    [Fact]
    public void Counts_events_and_times_them_under_the_names_of_the_conventions()
    {
        List<string> told = [];
        using var listener = Listen();
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => told.Add(Line(instrument, value, tags)));
        listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => told.Add(Line(instrument, value, tags)));
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
            told
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

        Assert.Equal(0, Allocations.LeastOf(() => RecordOften(events)));
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
            instruments.Activities
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
        var batches = Assert.IsType<IBatchSink>(TracedSink.Around(new Sink(_ => { }), Settings, instruments.Activities), exactMatch: false);

        var outcomes = await batches.WriteBatchAsync(Some.Batch(4).Events, CancellationToken.None);

        Assert.Equal((7, 4), (batches.LargestBatch, outcomes.Count));
        Assert.Equal(4, Assert.Single(ended).GetTagItem("messaging.batch.message_count"));
        Assert.Equal("IOException", Assert.Single(ended).GetTagItem("error.type")?.ToString()?.Split('.')[^1]);
    }

    public void Dispose()
    {
        instruments.Dispose();
        services.Dispose();
    }

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

    private sealed class Sink(Action<ReceivedEvent> write) : IBatchSink
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
