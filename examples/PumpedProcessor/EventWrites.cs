using System.Globalization;
using System.Security.Cryptography;
using Azure;
using Azure.Core.Amqp;
using Azure.Messaging.EventHubs.Processor;
using Azure.Messaging.ServiceBus;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;

namespace PumpedProcessor;

/// <summary>
/// The handler: archives each event as a blob, then sends it as a message. Both are named by hub, partition and sequence number, so that writing an event
/// again changes nothing, and <c>consumer verify</c> recognises them.
/// </summary>
internal sealed class EventWrites(BlobContainerClient archive, ServiceBusClient bus, string queue) : IAsyncDisposable
{
    // An empty data section (AMQP 1.0 part 3, 3.2.6) ends what the package encodes, and a descriptor begins it.
    private const int EmptyBody = 5;
    private const int Descriptor = 3;

    private readonly ServiceBusSender sender = bus.CreateSender(queue);

    /// <summary>The archive and the queue that the environment names.</summary>
    public static EventWrites FromEnvironment() =>
        new(
            new BlobContainerClient(Setting.Of("STORAGE_CONNECTION_STRING"), Setting.Of("STORAGE_CONTAINER")),
            new ServiceBusClient(Setting.Of("SERVICEBUS_CONNECTION_STRING")),
            Setting.Of("SERVICEBUS_QUEUE")
        );

    public ValueTask HandleAsync(ProcessEventArgs args, CancellationToken cancellationToken)
    {
        var (place, one) = (args.Partition, args.Data);
        return WriteAsync(place.EventHubName, place.PartitionId, one.SequenceNumber, one.EventBody, one.ContentType, one.Properties, cancellationToken);
    }

    public async ValueTask WriteAsync(
        string hub,
        string partition,
        long sequence,
        BinaryData body,
        string? contentType,
        IEnumerable<KeyValuePair<string, object>> properties,
        CancellationToken cancellationToken
    )
    {
        var message = new ServiceBusMessage(body) { MessageId = $"{hub}-{partition}-{sequence}", ContentType = contentType };
        foreach (var (name, value) in properties)
        {
            message.ApplicationProperties.Add(name, value);
        }

        var upload = new BlobUploadOptions
        {
            Metadata = GetMetadata(message),
            HttpHeaders = new BlobHttpHeaders { ContentType = contentType },
            Conditions = new BlobRequestConditions { IfNoneMatch = ETag.All },
        };
        try
        {
            await archive.GetBlobClient($"{hub}/{partition}/{sequence:D20}").UploadAsync(body, upload, cancellationToken);
        }
        catch (RequestFailedException there) when (there.Status == 409)
        {
            // Archived before.
        }

        await sender.SendMessageAsync(message, cancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        await sender.DisposeAsync();
        await bus.DisposeAsync();
    }

    private static Dictionary<string, string> GetMetadata(ServiceBusMessage message)
    {
        var body = message.Body.ToMemory();
        var metadata = new Dictionary<string, string>
        {
            ["sha256"] = Convert.ToHexStringLower(SHA256.HashData(body.Span)),
            ["length"] = body.Length.ToString(CultureInfo.InvariantCulture),
        };
        if (message.ApplicationProperties.Count > 0)
        {
            metadata["properties"] = Convert.ToBase64String(Encode(message.ApplicationProperties));
        }

        return metadata;
    }

    private static byte[] Encode(IDictionary<string, object> properties)
    {
        var alone = new AmqpAnnotatedMessage(AmqpMessageBody.FromData([ReadOnlyMemory<byte>.Empty]));
        foreach (var (name, value) in properties)
        {
            alone.ApplicationProperties.Add(name, value);
        }

        return alone.ToBytes().ToArray()[Descriptor..^EmptyBody];
    }
}
