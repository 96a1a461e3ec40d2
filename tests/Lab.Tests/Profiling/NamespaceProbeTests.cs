using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Profiling;
using EventHubThroughput.Processing.Tests.Doubles;
using EventHubThroughput.Profiles;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Profiling;

/// <summary>Probes of a namespace with operations of given length, in virtual time.</summary>
public sealed class NamespaceProbeTests
{
    private static readonly MessagingSettings Settings = MessagingSettings
        .FromEnvironment(
            static name =>
                name switch
                {
                    "EVENTHUB_CONNECTION_STRING" => "Endpoint=sb://127.0.0.1:5672;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0;UseDevelopmentEmulator=true",
                    "EVENTHUB_NAME" => "Hub",
                    "SERVICEBUS_CONNECTION_STRING" => "Endpoint=sb://127.0.0.1:5673;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0;UseDevelopmentEmulator=true",
                    "SERVICEBUS_QUEUE" => "queue",
                    "STORAGE_CONNECTION_STRING" =>
                        "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=c2VjcmV0;BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1",
                    _ => null,
                },
            SettingsScope.Consumer
        )
        .Require();

    [Fact]
    public async Task Each_operation_gets_the_law_of_its_measured_time_without_the_time_to_connect()
    {
        var space = new ProbedNamespace { First = TimeSpan.FromSeconds(2) };

        var profile = MeasuredProfile.OfWrites("mine", await GetProbe(space).RunAsync(TestContext.Current.CancellationToken));

        Assert.Equal(("mine", 18, 9, 25), (profile.Name, Mean(profile.MessageSend), Mean(profile.BlobWrite), Mean(profile.CheckpointWrite)));
        Assert.Equal((0, 0, 0), (Scatter(profile.MessageSend), Scatter(profile.BlobWrite), Scatter(profile.CheckpointWrite)));
        Assert.True(profile.EventReceive.IsZero);
    }

    [Fact]
    public async Task Only_messages_that_carry_its_name_remain()
    {
        var space = new ProbedNamespace();
        space.Archive.Blobs["somebody/else"] = new BlobUpload { Name = "somebody/else", Content = default };
        var probe = GetProbe(space);

        await probe.RunAsync(TestContext.Current.CancellationToken);

        Assert.Equal(["somebody/else"], space.Archive.Blobs.Keys);
        Assert.Empty(space.Checkpoints.Blobs);
        Assert.Equal(53, space.Messages.Count);
        Assert.All(space.Messages, message => Assert.StartsWith($"{probe.Name}/", message.MessageId, StringComparison.Ordinal));
        Assert.All(space.Messages, static message => Assert.Equal(100, message.Body.Length));
        Assert.Equal([probe.Name], space.Groups);
    }

    [Fact]
    public async Task The_probe_removes_its_data_after_a_failure()
    {
        var space = new ProbedNamespace();
        space.Archive.Before = (verb, name) =>
            verb == "upload" && name.EndsWith("/9", StringComparison.Ordinal)
                ? Task.FromException(new MessagingException(FailureKind.Unreachable, "gone"))
                : Task.CompletedTask;

        await Assert.ThrowsAsync<MessagingException>(() => GetProbe(space).RunAsync(TestContext.Current.CancellationToken));

        Assert.Empty(space.Archive.Blobs);
    }

    private static NamespaceProbe GetProbe(ProbedNamespace space) => new(space.Connect, Settings, new ProbeChoice("mine", 50, 100), space.Clock);

    private static double Mean(LatencyLaw law) => Math.Round(law.MeanMilliseconds, 1);

    private static double Scatter(LatencyLaw law) => law.DeviationMilliseconds;

    private sealed class ProbedNamespace : IMessagingClients, IMessageSender, ICheckpointStore
    {
        private string group = "";
        private bool hasConnected;

        public ProbedNamespace()
        {
            Archive.Before = (verb, _) => Take(verb == "upload" ? 9 : 0);
        }

        public VirtualClock Clock { get; } = new();

        /// <summary>How much longer the first operation takes.</summary>
        public TimeSpan First { get; init; }

        public MemoryBlobs Archive { get; } = new();

        public MemoryBlobs Checkpoints { get; } = new("checkpoints");

        public List<OutgoingMessage> Messages { get; } = [];

        public List<string> Groups { get; } = [];

        public ICheckpointStore CheckpointStore => this;

        public ProbedNamespace Connect(MessagingSettings settings)
        {
            group = settings.ConsumerGroup;
            Groups.Add(group);
            return this;
        }

        public IMessageSender CreateMessageSender(string entity) => entity == "queue" ? this : throw new NotSupportedException();

        public IBlobContainer GetBlobContainer(string name) => name == "archive" ? Archive : Checkpoints;

        public async ValueTask SendAsync(OutgoingMessage message, CancellationToken cancellationToken)
        {
            Messages.Add(message);
            await Take(18);
        }

        public async Task<Checkpoint> WriteCheckpointAsync(
            string partitionId,
            EventPosition position,
            string clientId,
            Checkpoint? previous,
            bool fenced,
            CancellationToken cancellationToken
        )
        {
            await Take(25);
            var upload = new BlobUpload { Name = $"127.0.0.1/hub/{group}/checkpoint/{partitionId}", Content = default };
            return new Checkpoint(partitionId, position, clientId, await Checkpoints.UploadAsync(upload, cancellationToken));
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;

        public ValueTask SendBatchAsync(IReadOnlyList<OutgoingMessage> messages, CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<IReadOnlyList<Ownership>> ListOwnershipsAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<Ownership?> ClaimAsync(string partitionId, string ownerId, string? etag, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public Task<Checkpoint?> ReadCheckpointAsync(string partitionId, CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<EventHubProperties> GetEventHubPropertiesAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<PartitionProperties> GetPartitionPropertiesAsync(string partitionId, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public IAsyncEnumerable<EventBatch> ReadPartitionAsync(
            string partitionId,
            long afterSequenceNumber,
            long throughSequenceNumber,
            CancellationToken cancellationToken
        ) => throw new NotSupportedException();

        public IEventHubWriter CreateEventHubWriter() => throw new NotSupportedException();

        public IBufferedEventWriter CreateBufferedEventWriter() => throw new NotSupportedException();

        public IEventHubProcessor CreateProcessor(EventHubProcessorOptions options, Func<IOwnedPartition, IPartitionHandler> open) =>
            throw new NotSupportedException();

        public IMessageReceiver CreateMessageReceiver(string entity, MessageReceiverOptions options) => throw new NotSupportedException();

        private Task Take(double milliseconds)
        {
            Clock.Advance(TimeSpan.FromMilliseconds(milliseconds) + (hasConnected ? TimeSpan.Zero : First));
            hasConnected = true;
            return Task.CompletedTask;
        }
    }
}
