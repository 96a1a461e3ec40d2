using System.Collections.Concurrent;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing.Tests.Doubles;
using EventHubThroughput.Processing.Tests.Redriving;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Processing.Tests;

/// <summary>A processing needs the event hub alone. Service Bus and storage are for sinks that request them.</summary>
public sealed class SeparateContractTests
{
    private readonly ConcurrentQueue<string> written = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_sink_with_options_and_without_a_service_runs_over_the_event_hub_alone()
    {
        var hub = new OnePartition(events: 3);
        var options = new NotingOptions("noted");
        await using var processing = new EventHubProcessing(
            GetSource(hub),
            new ProcessingOptions(),
            new SinkDescriptor("noting", "Notes each event.", context => new NotingSink(options, context.EventHubName, written))
        );

        var result = await processing.RunAsync(hub.GiveAsync().WaitAsync, Token);

        Assert.Empty(result.Faults);
        Assert.Equal(["noted orders/0", "noted orders/1", "noted orders/2"], written.Order());
        Assert.Equal(2, hub.Stored);
    }

    [Theory]
    [InlineData(ServiceBusSink.SinkName, "sink 'servicebus' needs Service Bus, and MessagingSettings.ServiceBus is not set.")]
    [InlineData(BlobSink.SinkName, "sink 'blob' needs storage, and MessagingSettings.Storage is not set.")]
    public void A_sink_that_needs_a_service_is_refused_where_there_is_none_with_its_name_and_the_setting(string sink, string message)
    {
        var failures = new[]
        {
            Assert.Throws<InvalidOperationException>(() =>
                new EventHubProcessing(GetSource(new OnePartition(0)), new ProcessingOptions(), SinkCatalog.Find(sink))
            ),
            Assert.Throws<InvalidOperationException>(() =>
                new EventHubProcessing(new OnePartition(0), RedriveBench.Settings, new ProcessingOptions(), SinkCatalog.Find(sink))
            ),
            Assert.Throws<InvalidOperationException>(() =>
                new DeadLetterRedrive(new MemoryBlobs("letters"), new SinkContext("orders"), new RedriveOptions(), SinkCatalog.Find(sink))
            ),
        };

        Assert.All(failures, failure => Assert.StartsWith(message, failure.Message, StringComparison.Ordinal));
    }

    [Fact]
    public void A_sink_that_sends_is_refused_where_Service_Bus_has_no_queue_and_no_topic()
    {
        var settings = RedriveBench.Settings with
        {
            ServiceBus = MessagingConnectionString.Parse("Endpoint=sb://bus.example.net;SharedAccessKeyName=Root;SharedAccessKey=a2V5"),
        };

        var failure = Assert.Throws<InvalidOperationException>(() =>
            new EventHubProcessing(new OnePartition(0), settings, new ProcessingOptions(), SinkCatalog.Find(ServiceBusSink.SinkName))
        );

        Assert.StartsWith(
            "sink 'servicebus' needs a queue or topic, and MessagingSettings.Queue or Topic is not set.",
            failure.Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Dead_letters_go_to_the_container_of_the_source_and_are_redriven_from_it_without_settings()
    {
        var container = new MemoryBlobs("letters");
        var hub = new OnePartition(events: 1);
        var options = new ProcessingOptions { OnPoison = PoisonPolicy.DeadLetter, Retries = 0 };
        await using (
            var processing = new EventHubProcessing(
                GetSource(hub) with
                {
                    DeadLetters = container,
                },
                options,
                SinkDescriptor.Of(static (_, _) => throw new MessagingException(FailureKind.Permanent, "refused"))
            )
        )
        {
            Assert.Empty((await processing.RunAsync(hub.GiveAsync().WaitAsync, Token)).Faults);
        }

        await using var redrive = new DeadLetterRedrive(container, new SinkContext("orders"), new RedriveOptions(), SinkDescriptor.Of(NoteAsync));
        var result = await redrive.RunAsync(Token);

        Assert.Equal((1, ProcessingEnd.Drained), (result.Redriven, result.End));
        Assert.Equal(["handled 0"], written);
    }

    [Fact]
    public void Dead_letters_without_a_container_are_refused_beside_all_other_problems_a_line_each()
    {
        var options = new ProcessingOptions { OnPoison = PoisonPolicy.DeadLetter, BatchSize = 0 };

        var refused = Assert.Throws<InvalidOptionsException>(() =>
            new EventHubProcessing(GetSource(new OnePartition(0)), options, SinkDescriptor.Of(NoteAsync))
        );

        string[] problems = ["BatchSize 0: allowed 1 to 10000", "OnPoison DeadLetter: needs DeadLetters, the container of the dead letters"];
        Assert.Equal(problems, refused.Problems);
        Assert.Equal("options", refused.ParamName);
        Assert.StartsWith(string.Join('\n', problems), refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Options_can_be_checked_without_a_processing()
    {
        new ProcessingOptions().Validate();

        var refused = Assert.Throws<InvalidOptionsException>(static () => new ProcessingOptions { BatchSize = 0, Prefetch = -1 }.Validate());

        Assert.Equal(["BatchSize 0: allowed 1 to 10000", "Prefetch -1: allowed 0 to 10000"], refused.Problems);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(32)]
    public void A_processing_has_1_to_31_sinks(int count)
    {
        SinkDescriptor[] sinks = [.. Enumerable.Range(0, count).Select(number => SinkDescriptor.Of(NoteAsync, $"sink{number}"))];

        var refused = Assert.Throws<ArgumentOutOfRangeException>(() => new EventHubProcessing(GetSource(new OnePartition(0)), new ProcessingOptions(), sinks));

        Assert.Equal("sinks", refused.ParamName);
    }

    private static EventHubSource GetSource(IEventHubClients hub) => new() { Clients = new HubAlone(hub), EventHubName = "orders" };

    private ValueTask NoteAsync(ReceivedEvent received, CancellationToken cancellationToken)
    {
        written.Enqueue($"handled {received.SequenceNumber}");
        return ValueTask.CompletedTask;
    }

    private sealed record NotingOptions(string Prefix);

    private sealed class NotingSink(NotingOptions options, string hub, ConcurrentQueue<string> written) : ISink<ReceivedEvent>
    {
        public string Name => "noting";

        public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
        {
            written.Enqueue($"{options.Prefix} {hub}/{receivedEvent.SequenceNumber}");
            return ValueTask.CompletedTask;
        }
    }

    /// <summary>Clients of an event hub that are clients of nothing else.</summary>
    private sealed class HubAlone(IEventHubClients hub) : IEventHubClients
    {
        public ICheckpointStore CheckpointStore => hub.CheckpointStore;

        public Task<EventHubProperties> GetEventHubPropertiesAsync(CancellationToken cancellationToken) => hub.GetEventHubPropertiesAsync(cancellationToken);

        public Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken) =>
            hub.GetPartitionPropertiesAsync(partitionId, cancellationToken);

        public IAsyncEnumerable<EventBatch> ReadPartitionAsync(
            string partitionId,
            long afterSequenceNumber,
            long throughSequenceNumber,
            CancellationToken cancellationToken
        ) => hub.ReadPartitionAsync(partitionId, afterSequenceNumber, throughSequenceNumber, cancellationToken);

        public IEventHubWriter CreateEventHubWriter() => hub.CreateEventHubWriter();

        public IBufferedEventWriter CreateBufferedEventWriter() => hub.CreateBufferedEventWriter();

        public IEventHubProcessor CreateProcessor(EventHubProcessorOptions options, Func<IOwnedPartition, IPartitionHandler> open) =>
            hub.CreateProcessor(options, open);

        public ValueTask DisposeAsync() => hub.DisposeAsync();
    }
}
