using System.Text;

namespace EventHubThroughput.Events;

/// <summary>The trace context of an event's sender, which travels in application properties. Their names are those of the official packages.</summary>
internal static class TraceParent
{
    /// <summary>The present property, a string in the form of W3C Trace Context.</summary>
    public const string Property = "traceparent";

    /// <summary>The older property, with the same value.</summary>
    public const string OlderProperty = "Diagnostic-Id";

    private const byte ShortString = 0xa1;

    /// <summary>The trace context of an event, read from its encoded properties without decoding the rest. Null when they have none.</summary>
    /// <param name="encodedProperties">
    /// The application properties in their AMQP encoding (OASIS AMQP 1.0 part 1, section 1.6): a map of strings to values.
    /// </param>
    public static string? Of(ReadOnlySpan<byte> encodedProperties) => Find(encodedProperties, "traceparent"u8) ?? Find(encodedProperties, "Diagnostic-Id"u8);

    // A string of up to 255 bytes: its code, its length, its bytes.
    private static string? Find(ReadOnlySpan<byte> properties, ReadOnlySpan<byte> name)
    {
        var at = properties.IndexOf(name);
        return
            at >= 2
            && properties[at - 2] == ShortString
            && properties[at - 1] == name.Length
            && properties[(at + name.Length)..] is [ShortString, var length, .. var rest]
            && rest.Length >= length
            ? Encoding.UTF8.GetString(rest[..length])
            : null;
    }
}
