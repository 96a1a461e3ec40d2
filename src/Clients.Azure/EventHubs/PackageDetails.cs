using Azure.Core.Amqp;
using EventHubThroughput.Clients.Azure.Messages;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>Details of events that the package has decoded.</summary>
internal sealed class PackageDetails : EventDetails
{
    private static readonly PackageDetails None = new(null, null);

    private readonly string? messageId;
    private readonly string? correlationId;

    private PackageDetails(string? messageId, string? correlationId)
    {
        this.messageId = messageId;
        this.correlationId = correlationId;
    }

    /// <summary>Keeps the identifiers only if there is one. The package's message is not kept.</summary>
    public static PackageDetails Of(AmqpAnnotatedMessage message)
    {
        // The package would create a missing section on access.
        if (!message.HasSection(AmqpMessageSection.Properties))
        {
            return None;
        }

        var (own, correlated) = (message.Properties.MessageId, message.Properties.CorrelationId);
        return own is null && correlated is null ? None : new PackageDetails(own?.ToString(), correlated?.ToString());
    }

    public override string? FindMessageId() => messageId;

    public override string? FindCorrelationId() => correlationId;

    public override IReadOnlyDictionary<string, object?> DecodeProperties(ReadOnlyMemory<byte> encoded) => RememberedProperties.ToDictionary(encoded);
}
