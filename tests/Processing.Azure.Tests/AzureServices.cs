using System.Collections.Concurrent;
using System.Globalization;
using System.Security.Cryptography.X509Certificates;
using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Producer;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;
using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Events;

namespace EventHubThroughput.Processing.Azure.Tests;

/// <summary>An emulator in this process, the clients that a user has for it, and a handler that notes its events.</summary>
internal sealed class AzureServices : IAsyncDisposable
{
    public const string Hub = "hub";

    private readonly EmulatorHost emulator;
    private readonly TaskCompletionSource enough = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int wanted = int.MaxValue;

    private AzureServices(EmulatorHost emulator) => this.emulator = emulator;

    public string ConnectionString => emulator.Settings["EVENTHUB_CONNECTION_STRING"];

    /// <summary>Where the emulator speaks TLS.</summary>
    public Uri TlsEndpoint => EventHubsConnectionStringProperties.Parse(emulator.Settings["EMULATOR_TLS_CONNECTION_STRING"]).Endpoint;

    /// <summary>Whether a certificate is that of the emulator.</summary>
    public bool IsCertificate(X509Certificate? presented)
    {
        using var own = X509CertificateLoader.LoadCertificateFromFile(emulator.Settings["EMULATOR_TLS_CERTIFICATE"]);
        return presented?.GetCertHashString() == own.GetCertHashString();
    }

    public BlobContainerClient Checkpoints => GetContainer("checkpoints");

    public BlobContainerClient DeadLetters => GetContainer("deadletters");

    /// <summary>The events that were handled, <c>partition/sequence number</c>.</summary>
    public ConcurrentQueue<string> Handled { get; } = new();

    public static async Task<AzureServices> StartAsync(CancellationToken cancellationToken, int partitions = 1, int? tlsPort = null)
    {
        var options = new EmulatorOptions
        {
            TlsPort = tlsPort,
            Entities = EntitySet.Default with { Hubs = [new HubSettings(Hub) { Partitions = partitions }] },
        };
        return new AzureServices(await EmulatorHost.StartAsync(options, cancellationToken));
    }

    public BlobContainerClient GetContainer(string name) => new(emulator.Settings["STORAGE_CONNECTION_STRING"], name);

    public async Task SendAsync(int count, CancellationToken cancellationToken, string partition = "0")
    {
        await using var producer = new EventHubProducerClient(ConnectionString, Hub);
        var events = Enumerable.Range(0, count).Select(static number => new EventData($"{{\"Number\":{number}}}"));
        await producer.SendAsync(events, new SendEventOptions { PartitionId = partition }, cancellationToken);
    }

    /// <summary>Stores a checkpoint as the package Azure.Messaging.EventHubs.Processor does, in its layout.</summary>
    public async Task StoreCheckpointAsync(long sequenceNumber, CancellationToken cancellationToken)
    {
        var metadata = new Dictionary<string, string>
        {
            ["offset"] = "",
            ["sequencenumber"] = sequenceNumber.ToString(CultureInfo.InvariantCulture),
            ["clientidentifier"] = "an-event-processor-client",
        };
        await Checkpoints.GetBlobClient(CheckpointName()).UploadAsync(new BinaryData(""), new BlobUploadOptions { Metadata = metadata }, cancellationToken);
    }

    /// <summary>The metadata of a checkpoint in the layout of that package.</summary>
    public async Task<IDictionary<string, string>> CheckpointAsync(CancellationToken cancellationToken, string partition = "0") =>
        (await Checkpoints.GetBlobClient(CheckpointName(partition)).GetPropertiesAsync(cancellationToken: cancellationToken)).Value.Metadata;

    public ValueTask HandleAsync(ReceivedEvent received, CancellationToken cancellationToken)
    {
        Note(received);
        return ValueTask.CompletedTask;
    }

    public void Note(ReceivedEvent received)
    {
        Handled.Enqueue(string.Create(CultureInfo.InvariantCulture, $"{received.PartitionId}/{received.SequenceNumber}"));
        if (Handled.Count >= wanted)
        {
            enough.TrySetResult();
        }
    }

    /// <summary>Runs the processor until this number of events was handled in all, then stops it as a user does.</summary>
    public async Task<ProcessingResult> RunAsync(ConcurrentEventProcessor processor, int until, CancellationToken cancellationToken)
    {
        wanted = until;
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var running = processor.RunAsync(stop.Token);
        await Task.WhenAny(enough.Task, running).WaitAsync(cancellationToken);
        await stop.CancelAsync();
        return await running;
    }

    public ValueTask DisposeAsync() => emulator.DisposeAsync();

    // The layout of the package: everything in lower case, partitions below.
    private string CheckpointName(string partition = "0")
    {
        var host = EventHubsConnectionStringProperties.Parse(ConnectionString).FullyQualifiedNamespace;
        return $"{host}/{Hub}/$default/checkpoint/{partition}".ToLowerInvariant();
    }
}
