using System.Globalization;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing.Sinks;

namespace EventHubThroughput.Processing.Redriving;

/// <summary>The kinds of blob in the dead-letter container.</summary>
internal enum DeadLetterKind
{
    /// <summary>A dead letter of this event hub that can be redriven.</summary>
    Complete,

    /// <summary>A dead letter of another event hub.</summary>
    OfAnotherHub,

    /// <summary>The properties of a dead letter.</summary>
    Supplement,

    /// <summary>Not a dead letter, or one with missing data. The problem names what is missing.</summary>
    Unreadable,
}

/// <summary>One dead letter in one version, from its blob's name and metadata.</summary>
internal sealed record DeadLetter
{
    private const int Digits = 20;

    private DeadLetter(BlobProperties blob) => Blob = blob;

    public BlobProperties Blob { get; private init; }

    public DeadLetterKind Kind { get; private init; } = DeadLetterKind.Unreadable;

    /// <summary>Why it cannot be redriven.</summary>
    public string Problem { get; private init; } = "";

    public string PartitionId { get; private init; } = "";

    public long Sequence { get; private init; }

    /// <summary>The sinks that have not written the event.</summary>
    public IReadOnlyList<string> Sinks { get; private init; } = [];

    public string Name => Blob.Name;

    public IReadOnlyDictionary<string, string> Fields => Blob.Metadata;

    public string Reason => Fields.GetValueOrDefault(DeadLetterFields.Reason, "");

    /// <summary>The identifier of the redrive that writes it now. Null when there is none.</summary>
    public string? Claim => Fields.GetValueOrDefault(DeadLetterFields.Claim);

    /// <summary>The duration of that claim.</summary>
    public TimeSpan ClaimLimit =>
        long.TryParse(Fields.GetValueOrDefault(DeadLetterFields.ClaimLimit), NumberStyles.None, CultureInfo.InvariantCulture, out var milliseconds)
            ? TimeSpan.FromMilliseconds(Math.Min(milliseconds, 3_600_000))
            : TimeSpan.Zero;

    public bool HasPropertiesBeside => Fields.GetValueOrDefault(DeadLetterFields.Properties) == DeadLetterFields.PropertiesSuffix;

    /// <summary>Reads name and metadata.</summary>
    /// <param name="blob">The blob.</param>
    /// <param name="hub">The event hub.</param>
    public static DeadLetter Read(BlobProperties blob, string hub)
    {
        var letter = new DeadLetter(blob);
        var isSupplement = blob.Name.EndsWith(DeadLetterFields.PropertiesSuffix, StringComparison.Ordinal);
        var name = isSupplement ? blob.Name[..^DeadLetterFields.PropertiesSuffix.Length] : blob.Name;
        if (name.Split('/') is not [var first, var second, { Length: Digits } digits] || !TryReadNumber(digits, out var sequence))
        {
            return letter with { Problem = "is not a dead letter: its name is not that of an event" };
        }

        if (isSupplement)
        {
            return letter with { Kind = DeadLetterKind.Supplement };
        }

        var fields = blob.Metadata;
        if (string.IsNullOrWhiteSpace(letter.Reason) || !fields.ContainsKey(EventBlob.HashName) || !fields.ContainsKey(EventBlob.LengthName))
        {
            return letter with { Problem = "is not a dead letter: its metadata has no reason, hash or length" };
        }

        if (first != SinkNames.Escape(hub))
        {
            return letter with { Kind = DeadLetterKind.OfAnotherHub };
        }

        var (partition, number) = (fields.GetValueOrDefault(DeadLetterFields.Partition), fields.GetValueOrDefault(DeadLetterFields.Sequence));
        if (partition != second || number != sequence.ToString(CultureInfo.InvariantCulture))
        {
            return letter with { Problem = "cannot be redriven: partition or sequence number of its metadata are not those of its name" };
        }

        if (PartitionOf(second) is not { } partitionId)
        {
            return letter with { Problem = "cannot be redriven: its partition is not readable" };
        }

        string[] needed = [DeadLetterFields.Sinks, DeadLetterFields.Offset, DeadLetterFields.Enqueued];
        return needed.FirstOrDefault(field => !fields.ContainsKey(field)) is { } missing
            ? letter with
            {
                Problem = $"cannot be redriven: no {missing} in its metadata, as an earlier version stored it",
            }
            : letter with
            {
                Kind = DeadLetterKind.Complete,
                PartitionId = partitionId,
                Sequence = sequence,
                Sinks = DeadLetterFields.GetSinks(fields)!,
            };
    }

    /// <summary>Creates the event from the stored data.</summary>
    /// <param name="body">The blob's content.</param>
    /// <param name="beside">The content of the properties blob, if there is one.</param>
    /// <exception cref="FormatException">The bytes or a value differ from what was stored. The message names the difference.</exception>
    public ReceivedEvent ToEvent(ReadOnlyMemory<byte> body, ReadOnlyMemory<byte> beside)
    {
        if (EventBlob.ComputeHash(body) != Fields[EventBlob.HashName] || body.Length.ToString(CultureInfo.InvariantCulture) != Fields[EventBlob.LengthName])
        {
            throw new FormatException("its bytes do not match its metadata");
        }

        return new ReceivedEvent
        {
            PartitionId = PartitionId,
            SequenceNumber = Sequence,
            Offset = DeadLetterFields.GetText(Fields[DeadLetterFields.Offset]),
            EnqueuedTime = DateTimeOffset.ParseExact(Fields[DeadLetterFields.Enqueued], "O", CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind),
            PartitionKey = Fields.GetValueOrDefault(DeadLetterFields.PartitionKey) is { } key ? DeadLetterFields.GetText(key) : null,
            Body = body,
            BodyKind = GetKind(Fields.GetValueOrDefault(DeadLetterFields.BodyKind)),
            ContentType =
                Fields.GetValueOrDefault(DeadLetterFields.ContentType) is { } type ? DeadLetterFields.GetText(type)
                : Fields.ContainsKey(DeadLetterFields.Untyped) ? null
                : Blob.ContentType,
            EncodedProperties = HasPropertiesBeside ? beside : Convert.FromBase64String(Fields.GetValueOrDefault(DeadLetterFields.Properties, "")),
            Details = LetterDetails.Instance,
        };
    }

    private static string? PartitionOf(string escaped)
    {
        try
        {
            return SinkNames.Unescape(escaped);
        }
        catch (FormatException)
        {
            return null;
        }
    }

    private static EventBodyKind GetKind(string? text) =>
        text is null ? EventBodyKind.Data
        : Enum.TryParse<EventBodyKind>(text, out var kind) && Enum.IsDefined(kind) ? kind
        : throw new FormatException("its kind of body is unknown");

    private static bool TryReadNumber(string digits, out long number) => long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}
