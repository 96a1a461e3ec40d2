using System.Collections.Concurrent;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Processing.Tests.Doubles;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Processing.Tests.Redriving;

/// <summary>A container of dead letters in memory, two sinks, and redrives of it.</summary>
internal sealed class RedriveBench
{
    public static MessagingSettings Settings { get; } =
        new()
        {
            EventHub = MessagingConnectionString.Parse("Endpoint=sb://hubs.example.net;SharedAccessKeyName=Root;SharedAccessKey=a2V5"),
            EventHubName = "hub",
        };

    public MemoryBlobs Container { get; } = new("deadletters");

    public ScriptedSink ServiceBus { get; } = new("servicebus");

    public ScriptedSink Blob { get; } = new("blob");

    public ConcurrentQueue<RedriveStep> Steps { get; } = new();

    public ConcurrentQueue<string> Notices { get; } = new();

    public static string GetName(long sequence, string partition = "0") => SinkNames.BlobName("hub", partition, sequence);

    public async Task GiveUpAsync(ReceivedEvent received, params string[] sinks)
    {
        foreach (var sink in sinks)
        {
            await new DeadLetterWriter(Container, "hub").StoreAsync(received, sink, "too large", 6, CancellationToken.None);
        }
    }

    public Task GiveUpAsync(long sequence, params string[] sinks) => GiveUpAsync(Some.Event(sequence), sinks);

    public Task<RedriveResult> RunAsync(RedriveOptions options, CancellationToken cancellationToken) =>
        RunAsync(Container, options, cancellationToken, ServiceBus, Blob);

    public async Task<RedriveResult> RunAsync(
        IBlobContainer container,
        RedriveOptions options,
        CancellationToken cancellationToken,
        params IReadOnlyList<ISink<ReceivedEvent>> sinks
    )
    {
        var reporting = options with { Step = Steps.Enqueue, Notice = Notices.Enqueue };
        SinkDescriptor[] descriptors = [.. sinks.Select(sink => new SinkDescriptor(sink.Name, "A double.", _ => sink))];
        await using var redrive = new DeadLetterRedrive(new ContainerClients(container), Settings, reporting, descriptors);
        return await redrive.RunAsync(cancellationToken);
    }
}
