using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Lab.Profiling;

/// <summary>
/// Tries what a consumer writes, one operation after another, each kind separately. So it measures the time of a namespace without any queueing. Blobs and
/// checkpoints carry a name of the probe that no other component reads, and are deleted again. Messages stay for their receivers.
/// </summary>
/// <param name="connect">Creates the clients for a consumer group.</param>
/// <param name="settings">The namespace.</param>
/// <param name="probe">The options.</param>
/// <param name="clock">The clock that measures.</param>
internal sealed class NamespaceProbe(Func<MessagingSettings, IMessagingClients> connect, MessagingSettings settings, ProbeChoice probe, TimeProvider clock)
{
    // The first ones connect, present a token and warm caches.
    private const int Unmeasured = 3;

    private readonly LatencyHistogram messages = new();
    private readonly LatencyHistogram blobs = new();
    private readonly LatencyHistogram checkpoints = new();

    /// <summary>The name in every blob, message and checkpoint of the probe.</summary>
    public string Name { get; } = $"probe-{Guid.NewGuid().ToString("n")[..8]}";

    /// <summary>Runs the probe. Returns how long each stage of a consumer took, by the names of a result.</summary>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="MessagingException">The namespace refuses, or does not answer.</exception>
    public async Task<IReadOnlyDictionary<string, StageFigures>> RunAsync(CancellationToken cancellationToken)
    {
        // No consumer has this group, so that none finds the probe's checkpoints.
        await using var clients = connect(settings with { ConsumerGroup = Name });
        var begun = clock.GetTimestamp();
        await SendMessagesAsync(clients, cancellationToken);
        await WriteBlobsAsync(clients.GetBlobContainer(settings.ArchiveContainer), cancellationToken);
        await WriteCheckpointsAsync(clients, cancellationToken);
        var took = clock.GetElapsedTime(begun);
        return new Dictionary<string, StageFigures>(StringComparer.Ordinal)
        {
            ["servicebus"] = StageFigures.Of(messages, took),
            ["blob"] = StageFigures.Of(blobs, took),
            ["checkpoint"] = StageFigures.Of(checkpoints, took),
        };
    }

    private async Task SendMessagesAsync(IMessagingClients clients, CancellationToken cancellationToken)
    {
        await using var sender = clients.CreateMessageSender(settings.MessageEntity!);
        await EachAsync(
            messages,
            number => sender.SendAsync(new OutgoingMessage { MessageId = GetName(number), Body = new byte[probe.Size] }, cancellationToken).AsTask()
        );
    }

    private async Task WriteBlobsAsync(IBlobContainer container, CancellationToken cancellationToken)
    {
        await container.CreateIfMissingAsync(cancellationToken);
        try
        {
            await EachAsync(
                blobs,
                number => container.UploadAsync(new BlobUpload { Name = GetName(number), Content = new byte[probe.Size] }, cancellationToken).AsTask()
            );
        }
        finally
        {
            await RemoveAsync(container, $"{Name}/");
        }
    }

    private async Task WriteCheckpointsAsync(IMessagingClients clients, CancellationToken cancellationToken)
    {
        var container = clients.GetBlobContainer(settings.CheckpointContainer);
        await container.CreateIfMissingAsync(cancellationToken);
        Checkpoint? last = null;
        try
        {
            await EachAsync(
                checkpoints,
                async number =>
                    last = await clients.CheckpointStore.WriteCheckpointAsync(
                        "0",
                        new EventPosition(number, number.ToString(CultureInfo.InvariantCulture)),
                        Name,
                        last,
                        fenced: true,
                        cancellationToken
                    )
            );
        }
        finally
        {
            // As the official SDKs name checkpoints.
            await RemoveAsync(container, $"{settings.EventHubNamespace}/{settings.EventHubName}/{Name}/".ToLowerInvariant());
        }
    }

    private async Task EachAsync(LatencyHistogram durations, Func<int, Task> operation)
    {
        for (var number = 0; number < Unmeasured + probe.Count; number++)
        {
            var begun = clock.GetTimestamp();
            await operation(number);
            if (number >= Unmeasured)
            {
                durations.Record(clock.GetElapsedTime(begun));
            }
        }
    }

    // What was left is deleted, for any end of the probe. Its clients have separate limits.
    private static async Task RemoveAsync(IBlobContainer container, string prefix)
    {
        List<string> names = [];
        await foreach (var blob in container.ListAsync(prefix, CancellationToken.None))
        {
            names.Add(blob.Name);
        }

        foreach (var name in names)
        {
            await container.DeleteAsync(name, CancellationToken.None);
        }
    }

    private string GetName(int number) => $"{Name}/{number.ToString(CultureInfo.InvariantCulture)}";
}

/// <summary>The options of a probe.</summary>
/// <param name="Name">What the profile is called.</param>
/// <param name="Count">How often each operation is measured.</param>
/// <param name="Size">Bytes of a message's and a blob's content.</param>
internal sealed record ProbeChoice(string Name, int Count, int Size);
