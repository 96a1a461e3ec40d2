using System.Collections.ObjectModel;
using EventHubThroughput.Clients;

namespace EventHubThroughput.Events;

/// <summary>The kinds of an event's body on the wire.</summary>
public enum EventBodyKind
{
    /// <summary>Opaque bytes (AMQP data sections).</summary>
    Data,

    /// <summary>One AMQP value. The bytes are its AMQP encoding.</summary>
    Value,

    /// <summary>AMQP sequences. The bytes are the AMQP encoding of the sequence sections.</summary>
    Sequence,
}

/// <summary>
/// One event as read from a partition. Immutable. The event owns its bytes, which are never reused. Encoded members are decoded when they are read. They may
/// be read by several threads.
/// </summary>
public sealed partial class ReceivedEvent : EventSlot
{
    private const string AllowedProperties =
        "null, boolean, string, symbol, char up to U+FFFF, integers, float, double, decimal128 within .NET's decimal, uuid, binary, timestamp, "
        + "com.microsoft:timespan, com.microsoft:datetime-offset and com.microsoft:uri";

    // In 8 bytes. DateTimeOffset needs 16, for an offset that the service's clock does not have.
    private readonly long enqueuedTicks;

    // Replaced once, when the properties are decoded.
    private EventDetails? details;

    /// <summary>The partition that the event was read from.</summary>
    public required string PartitionId { get; init; }

    /// <summary>The event's position marker. Opaque text.</summary>
    public new required string Offset
    {
        get => base.Offset!;
        init => base.Offset = value;
    }

    /// <summary>When the service appended the event, by the service's clock, in UTC.</summary>
    public DateTimeOffset EnqueuedTime
    {
        get => new(enqueuedTicks, TimeSpan.Zero);
        init => enqueuedTicks = value.UtcTicks;
    }

    /// <summary>The sender's partition key, or null.</summary>
    public string? PartitionKey
    {
        get => Key;
        init => Key = value;
    }

    /// <summary>The event's body, of the kind <see cref="BodyKind"/>.</summary>
    public required ReadOnlyMemory<byte> Body { get; init; }

    /// <summary>The kind of <see cref="Body"/>.</summary>
    public EventBodyKind BodyKind { get; init; }

    /// <summary>The content type that the sender set, or null.</summary>
    public string? ContentType { get; init; }

    /// <summary>
    /// The message identifier that the sender set, as text. Null when there is none. AMQP also has identifiers that are not strings (AMQP 1.0 part 3, 3.2.11
    /// to 3.2.14). A ulong becomes its decimal digits, a uuid 32 lower-case hexadecimal digits with hyphens, and a binary its upper-case hexadecimal digits.
    /// <c>EventData.MessageId</c> of the official package (5.12) has the same text.
    /// </summary>
    /// <remarks>The built-in clients decode it at each access. An event made from a dead letter has none.</remarks>
    /// <exception cref="MessagingException">Kind Permanent: the encoded identifier is of another type.</exception>
    public string? MessageId
    {
        get => Volatile.Read(ref details) is { } known ? AtPlace(known.FindMessageId) : null;
        init => details = new KnownDetails(details) { MessageId = value };
    }

    /// <summary>The correlation identifier that the sender set, as text like <see cref="MessageId"/>. Null when there is none.</summary>
    /// <remarks>The built-in clients decode it at each access. An event made from a dead letter has none.</remarks>
    /// <exception cref="MessagingException">Kind Permanent: the encoded identifier is of another type.</exception>
    public string? CorrelationId
    {
        get => Volatile.Read(ref details) is { } known ? AtPlace(known.FindCorrelationId) : null;
        init => details = new KnownDetails(details) { CorrelationId = value };
    }

    /// <summary>
    /// The application properties by name, empty when there are none. They are decoded at the first access, and the same dictionary is returned from then on.
    /// Do not change an array in it.
    /// </summary>
    /// <remarks>
    /// <para>
    /// The values have the types that <c>EventData.Properties</c> of the official package (5.12) gives. In brackets the type on the wire (AMQP 1.0 part
    /// 1, 1.6. The described types are those of the AMQP library beneath it):
    /// </para>
    /// <list type="bullet">
    /// <item>null (null), <see cref="bool"/> (boolean), <see cref="string"/> (string and symbol), <see cref="char"/> (char up to U+FFFF)</item>
    /// <item><see cref="byte"/> (ubyte), <see cref="ushort"/> (ushort), <see cref="uint"/> (uint), <see cref="ulong"/> (ulong)</item>
    /// <item><see cref="sbyte"/> (byte), <see cref="short"/> (short), <see cref="int"/> (int), <see cref="long"/> (long)</item>
    /// <item><see cref="float"/> (float), <see cref="double"/> (double), <see cref="decimal"/> (decimal128 within the range of .NET's decimal)</item>
    /// <item><see cref="Guid"/> (uuid), an array of <see cref="byte"/> (binary), <see cref="DateTime"/> in UTC (timestamp)</item>
    /// <item><see cref="DateTimeOffset"/> (com.microsoft:datetime-offset, a long: ticks in UTC)</item>
    /// <item><see cref="TimeSpan"/> (com.microsoft:timespan, a long: ticks), <see cref="Uri"/> (com.microsoft:uri, a string)</item>
    /// </list>
    /// <para>
    /// A list, a map, an array, a short decimal or another described type has no such form. The built-in clients deliver such an event, and reading its
    /// properties fails. The official clients refuse it or leave the property out (docs/packages.md).
    /// </para>
    /// </remarks>
    /// <exception cref="MessagingException">
    /// Kind Permanent: the encoded properties are not a map, or a value is of another type. The message names event, property, type, and what is allowed.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// The event was created with <see cref="EncodedProperties"/>, without a client and without properties.
    /// </exception>
    public IReadOnlyDictionary<string, object?> Properties
    {
        get
        {
            var before = Volatile.Read(ref details);
            return before?.Decoded ?? (EncodedProperties.IsEmpty ? ReadOnlyDictionary<string, object?>.Empty : DecodeProperties(before));
        }
        init => details = new KnownDetails(details) { Properties = value };
    }

    /// <summary>
    /// The event's application properties in their AMQP encoding (one map value), empty when there are none. The sinks receive the same bytes, so that no
    /// type is lost.
    /// </summary>
    public ReadOnlyMemory<byte> EncodedProperties { get; init; }

    /// <summary>How the client of the event decodes its members. Null for an event without a client.</summary>
    internal EventDetails? Details
    {
        init => details = value;
    }

    /// <summary>Names the event in failures.</summary>
    internal string Place => $"event {SequenceNumber} of partition {PartitionId}";

    // If threads race, all return the dictionary of the first. So "before" is the same value that had no decoded properties: a later one may have them.
    private IReadOnlyDictionary<string, object?> DecodeProperties(EventDetails? before)
    {
        var decoded =
            AtPlace(() => before?.DecodeProperties(EncodedProperties), $"; allowed are {AllowedProperties}")
            ?? throw new InvalidOperationException(
                $"{Place} was made with encoded properties, but by no client that decodes them: set {nameof(Properties)} too"
            );
        var found = Interlocked.CompareExchange(ref details, new KnownDetails(before) { Properties = decoded }, before);
        return found == before ? decoded : found?.Decoded ?? decoded;
    }

    private T AtPlace<T>(Func<T> read, string help = "")
    {
        try
        {
            return read();
        }
        catch (MessagingException failure)
        {
            throw new MessagingException(failure.Kind, $"{Place}: {failure.Message}{help}", failure);
        }
    }
}
