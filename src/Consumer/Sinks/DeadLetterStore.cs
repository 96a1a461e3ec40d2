using System.Globalization;
using System.Text;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Events;

namespace EventHubThroughput.Consumer.Sinks;

/// <summary>
/// Keeps events that a sink has failed for good: one blob for each, named like the event, with its body and, in the metadata, the
/// reason, the number of attempts, the event's properties and a content type that is none for HTTP. Stored only if absent, so that
/// an event has one record however many sinks or incarnations give it up.
/// </summary>
internal sealed class DeadLetterStore(IBlobContainer container, string hub)
{
    private const string ReasonName = "reason";
    private const string AttemptsName = "attempts";
    private const string BodyKindName = "bodykind";
    private const string PropertiesName = "properties";
    private const string ContentTypeName = "contenttype";

    // All metadata of a blob together may have 8 KiB.
    private const int LongestReason = 1024;
    private const int LongestProperties = 6 * 1024;

    /// <summary>What follows the record's name for properties that its metadata cannot hold.</summary>
    public const string PropertiesSuffix = ".properties";

    /// <summary>Stores the event; returns when it is stored, or was before with the same bytes.</summary>
    /// <param name="receivedEvent">The event.</param>
    /// <param name="reason">Which sink gave it up, and why; any text, stored without secrets as one line of ASCII.</param>
    /// <param name="attempts">How often the sink was tried.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <exception cref="MessagingException">It is not stored, or not known to be.</exception>
    public async Task StoreAsync(ReceivedEvent receivedEvent, string reason, int attempts, CancellationToken cancellationToken)
    {
        var name = SinkNames.BlobName(hub, receivedEvent.PartitionId, receivedEvent.SequenceNumber);
        var metadata = EventBlob.MetadataOf(receivedEvent.Body);
        metadata[ReasonName] = OneLine(reason);
        metadata[AttemptsName] = attempts.ToString(CultureInfo.InvariantCulture);
        if (receivedEvent.BodyKind != EventBodyKind.Data)
        {
            metadata[BodyKindName] = receivedEvent.BodyKind.ToString();
        }

        var carried = receivedEvent.ContentType is not { } type || BlobUpload.CanCarry(type);
        if (!carried)
        {
            // What no header brings over may be the very reason why the event is here.
            metadata[ContentTypeName] = Convert.ToBase64String(Encoding.UTF8.GetBytes(receivedEvent.ContentType!));
        }

        var properties = Convert.ToBase64String(receivedEvent.EncodedProperties.Span);
        if (properties.Length > LongestProperties)
        {
            // First, so that a record never lacks its properties.
            await StorePropertiesAsync(name + PropertiesSuffix, receivedEvent, cancellationToken);
            metadata[PropertiesName] = PropertiesSuffix;
        }
        else if (properties.Length > 0)
        {
            metadata[PropertiesName] = properties;
        }

        await EventBlob.StoreAsync(
            container,
            new BlobUpload
            {
                Name = name,
                Content = receivedEvent.Body,
                ContentType = carried ? receivedEvent.ContentType : null,
                Metadata = metadata,
            },
            cancellationToken
        );
    }

    private Task<bool> StorePropertiesAsync(string name, ReceivedEvent receivedEvent, CancellationToken cancellationToken) =>
        EventBlob.StoreAsync(
            container,
            new BlobUpload
            {
                Name = name,
                Content = receivedEvent.EncodedProperties,
                Metadata = EventBlob.MetadataOf(receivedEvent.EncodedProperties),
            },
            cancellationToken
        );

    // Metadata travels in headers: printable ASCII, and not empty, because a record without a reason is none.
    private static string OneLine(string reason)
    {
        var masked = SecretMask.Apply(reason);
        var line = string.Create(
                Math.Min(masked.Length, LongestReason),
                masked,
                static (target, text) =>
                {
                    for (var i = 0; i < target.Length; i++)
                    {
                        target[i] =
                            text[i] is >= ' ' and <= '~' ? text[i]
                            : char.IsWhiteSpace(text[i]) ? ' '
                            : '?';
                    }
                }
            )
            .Trim();
        return line.Length > 0 ? line : "unknown";
    }
}
