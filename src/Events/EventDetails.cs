namespace EventHubThroughput.Events;

/// <summary>
/// Members of an event that few handlers read. The client of the event decodes them when they are read first. Events without such members share one instance.
/// A failure is a <see cref="Clients.MessagingException"/>, to which the event's place is added.
/// </summary>
internal abstract class EventDetails
{
    /// <summary>The application properties if they need no decoding, or null.</summary>
    public virtual IReadOnlyDictionary<string, object?>? Decoded => null;

    /// <summary>The message identifier as text, or null.</summary>
    public virtual string? FindMessageId() => null;

    /// <summary>The correlation identifier as text, or null.</summary>
    public virtual string? FindCorrelationId() => null;

    /// <summary>The application properties, or null when they cannot be decoded. Called once for each event, unless threads race.</summary>
    /// <param name="encoded">One AMQP map.</param>
    public abstract IReadOnlyDictionary<string, object?>? DecodeProperties(ReadOnlyMemory<byte> encoded);
}

/// <summary>Details that were decoded or given, in front of other details.</summary>
internal sealed class KnownDetails(EventDetails? others) : EventDetails
{
    public string? MessageId { get; init; }

    public string? CorrelationId { get; init; }

    public IReadOnlyDictionary<string, object?>? Properties { get; init; }

    public override IReadOnlyDictionary<string, object?>? Decoded => Properties ?? others?.Decoded;

    public override string? FindMessageId() => MessageId ?? others?.FindMessageId();

    public override string? FindCorrelationId() => CorrelationId ?? others?.FindCorrelationId();

    public override IReadOnlyDictionary<string, object?>? DecodeProperties(ReadOnlyMemory<byte> encoded) => others?.DecodeProperties(encoded);
}
