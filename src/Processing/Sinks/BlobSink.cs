using System.Runtime.CompilerServices;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Events;
using EventHubThroughput.Events.Pooling;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Processing;

/// <summary>
/// Stores each event's body as one blob with its own name, only if that is absent. An existing blob is compared by length and hash: equal bytes are a
/// repeated success, others a permanent failure. Nothing is ever overwritten.
/// </summary>
/// <param name="container">The archive.</param>
/// <param name="hub">The event hub, for the names.</param>
public sealed class BlobSink(IBlobContainer container, string hub) : ISink<ReceivedEvent>
{
    private const string PropertiesName = "properties";
    private const int PropertiesLimit = 8 * 1024;

    private long repeated;

    /// <summary>The sink's name.</summary>
    public const string SinkName = "blob";

    /// <inheritdoc/>
    public string Name => SinkName;

    /// <remarks>True: the client ends each request that gets no answer.</remarks>
    /// <inheritdoc/>
    public bool LimitsItself => true;

    /// <summary>Uploads that found the same bytes already stored.</summary>
    public long Repeated => Interlocked.Read(ref repeated);

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(PooledValueTaskMethodBuilder))]
    public async ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
    {
        var upload = new BlobUpload
        {
            Name = SinkNames.BlobName(hub, receivedEvent.PartitionId, receivedEvent.SequenceNumber),
            Content = receivedEvent.Body,
            ContentType = receivedEvent.ContentType,
            Metadata = GetMetadata(receivedEvent),
            Condition = BlobCondition.Absent,
        };
        if (await EventBlob.StoreOrFindAsync(container, upload, cancellationToken) is not null)
        {
            Interlocked.Increment(ref repeated);
        }
    }

    private static Dictionary<string, string> GetMetadata(ReceivedEvent receivedEvent)
    {
        var metadata = EventBlob.GetMetadata(receivedEvent.Body);
        if (receivedEvent.EncodedProperties.Length > 0)
        {
            var properties = Convert.ToBase64String(receivedEvent.EncodedProperties.Span);
            if (properties.Length > PropertiesLimit)
            {
                throw new MessagingException(
                    FailureKind.TooLarge,
                    $"application properties of {properties.Length:N0} characters exceed the {PropertiesLimit:N0} that a blob's metadata holds"
                );
            }

            metadata[PropertiesName] = properties;
        }

        return metadata;
    }
}
