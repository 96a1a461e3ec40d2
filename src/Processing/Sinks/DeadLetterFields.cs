using System.Globalization;
using System.Text;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Events;

namespace EventHubThroughput.Processing.Sinks;

/// <summary>
/// The metadata of a dead letter, by name. Fields about the event are written once. These change: the sinks that have given it up, the reason, the number of
/// attempts, and the claim of a redrive.
/// </summary>
internal static class DeadLetterFields
{
    public const string Reason = "reason";
    public const string Attempts = "attempts";
    public const string Partition = "partition";
    public const string Sequence = "sequence";
    public const string Offset = "offset";
    public const string Enqueued = "enqueued";
    public const string PartitionKey = "partitionkey";
    public const string BodyKind = "bodykind";
    public const string Properties = "properties";
    public const string ContentType = "contenttype";

    /// <summary>Present when the event has no content type, because the blob always has one.</summary>
    public const string Untyped = "untyped";

    /// <summary>The sinks that have not written the event, escaped and separated by commas. All others have acknowledged it.</summary>
    public const string Sinks = "sinks";

    /// <summary>The identifier of the redrive that writes the event now.</summary>
    public const string Claim = "redrive";

    /// <summary>The duration in milliseconds, from when the claim was stored.</summary>
    public const string ClaimLimit = "redrivelimit";

    /// <summary>The suffix of the record's name for properties that its metadata cannot hold.</summary>
    public const string PropertiesSuffix = ".properties";

    // All metadata of a blob together may have 8 KiB. A claim must fit as well.
    private const int LongestProperties = 6 * 1024;
    private const int LongestReason = 1024;
    private const int LongestTogether = (8 * 1024) - 128;

    // These fields show that a record belongs to the event. Records of earlier versions have no others.
    private static readonly string[] Identity = [EventBlob.HashName, EventBlob.LengthName, Partition, Sequence, BodyKind, Properties, ContentType];

    /// <summary>The fields of the event in a new record.</summary>
    public static Dictionary<string, string> Of(ReceivedEvent receivedEvent)
    {
        var fields = EventBlob.GetMetadata(receivedEvent.Body);
        fields[Partition] = SinkNames.Escape(receivedEvent.PartitionId);
        fields[Sequence] = receivedEvent.SequenceNumber.ToString(CultureInfo.InvariantCulture);
        fields[Offset] = Base64(receivedEvent.Offset);
        fields[Enqueued] = receivedEvent.EnqueuedTime.ToString("O", CultureInfo.InvariantCulture);
        if (receivedEvent.PartitionKey is { } key)
        {
            fields[PartitionKey] = Base64(key);
        }

        if (receivedEvent.BodyKind != EventBodyKind.Data)
        {
            fields[BodyKind] = receivedEvent.BodyKind.ToString();
        }

        if (receivedEvent.ContentType is null)
        {
            fields[Untyped] = "1";
        }
        else if (!BlobUpload.CanCarry(receivedEvent.ContentType))
        {
            // A value that no header can carry may be the reason why the event is here.
            fields[ContentType] = Base64(receivedEvent.ContentType);
        }

        if (!receivedEvent.EncodedProperties.IsEmpty)
        {
            var properties = Convert.ToBase64String(receivedEvent.EncodedProperties.Span);
            fields[Properties] = properties.Length > LongestProperties ? PropertiesSuffix : properties;
        }

        return fields;
    }

    /// <summary>Whether a stored record belongs to the event for which a new record would have these fields.</summary>
    public static bool IsSame(IReadOnlyDictionary<string, string> fields, IReadOnlyDictionary<string, string> stored) =>
        !string.IsNullOrWhiteSpace(stored.GetValueOrDefault(Reason))
        && Identity.All(name => fields.GetValueOrDefault(name, stored.GetValueOrDefault(name, "")) == stored.GetValueOrDefault(name, ""));

    /// <summary>The sinks that have not written the event. Null when the record has no such field, like those of earlier versions.</summary>
    public static IReadOnlyList<string>? GetSinks(IReadOnlyDictionary<string, string> fields) =>
        fields.GetValueOrDefault(Sinks) is { } text ? [.. text.Split(',', StringSplitOptions.RemoveEmptyEntries).Select(Uri.UnescapeDataString)] : null;

    /// <summary>The same record with other sinks and without a claim.</summary>
    public static Dictionary<string, string> WithSinks(IReadOnlyDictionary<string, string> fields, IEnumerable<string> sinks)
    {
        var changed = WithoutClaim(fields);
        changed[Sinks] = string.Join(',', sinks.Select(Uri.EscapeDataString));
        return changed;
    }

    /// <summary>The same record, claimed.</summary>
    public static Dictionary<string, string> WithClaim(IReadOnlyDictionary<string, string> fields, string claim, TimeSpan limit)
    {
        var changed = WithoutClaim(fields);
        changed[Claim] = claim;
        changed[ClaimLimit] = ((long)limit.TotalMilliseconds).ToString(CultureInfo.InvariantCulture);
        return changed;
    }

    /// <summary>Sets the reason, as far as there is room: without secrets, as one line that a header can carry.</summary>
    public static void SetReason(Dictionary<string, string> fields, string reason, int attempts)
    {
        fields[Attempts] = attempts.ToString(CultureInfo.InvariantCulture);
        fields.Remove(Reason);
        var room = LongestTogether - Reason.Length - fields.Sum(static field => field.Key.Length + field.Value.Length);
        fields[Reason] = OneLine(reason, Math.Clamp(room, 64, LongestReason));
    }

    /// <summary>The tries so far.</summary>
    public static int GetAttempts(IReadOnlyDictionary<string, string> fields) =>
        int.TryParse(fields.GetValueOrDefault(Attempts), NumberStyles.None, CultureInfo.InvariantCulture, out var attempts) ? attempts : 0;

    /// <summary>Reads what <see cref="Base64"/> wrote.</summary>
    /// <exception cref="FormatException">The text is not of that form.</exception>
    public static string GetText(string base64) => Encoding.UTF8.GetString(Convert.FromBase64String(base64));

    private static string Base64(string text) => Convert.ToBase64String(Encoding.UTF8.GetBytes(text));

    private static Dictionary<string, string> WithoutClaim(IReadOnlyDictionary<string, string> fields)
    {
        var copy = new Dictionary<string, string>(fields, StringComparer.Ordinal);
        copy.Remove(Claim);
        copy.Remove(ClaimLimit);
        return copy;
    }

    // Metadata travels in headers: printable ASCII, and not empty, because a record needs a reason.
    private static string OneLine(string reason, int longest)
    {
        var masked = SecretText.Mask(reason);
        var line = string.Create(
                Math.Min(masked.Length, longest),
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
