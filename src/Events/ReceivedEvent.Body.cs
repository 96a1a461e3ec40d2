using System.Diagnostics.CodeAnalysis;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using EventHubThroughput.Clients;

namespace EventHubThroughput.Events;

// The body in common forms. Nothing is kept: each call decodes.
public sealed partial class ReceivedEvent
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>The body as text in UTF-8. A byte order mark at the start is left out. Each call decodes.</summary>
    /// <exception cref="MessagingException">Kind Permanent: the body is not UTF-8. The message names the event and the first wrong byte.</exception>
    /// <exception cref="InvalidOperationException">The body is not of kind <see cref="EventBodyKind.Data"/>.</exception>
    public string GetBodyAsText()
    {
        var text = TextBytes();
        try
        {
            return Strict.GetString(text);
        }
        catch (DecoderFallbackException invalid)
        {
            throw new MessagingException(
                FailureKind.Permanent,
                $"{Place}: its body is not UTF-8 at byte {invalid.Index + Body.Length - text.Length} of {Body.Length}",
                invalid
            );
        }
    }

    /// <summary>The body as JSON in UTF-8. A byte order mark at the start is left out. Each call decodes.</summary>
    /// <typeparam name="T">The type of the JSON's value.</typeparam>
    /// <param name="type">The contract, from a source-generated <see cref="System.Text.Json.Serialization.JsonSerializerContext"/>.</param>
    /// <returns>The value. Null for the JSON text <c>null</c>.</returns>
    /// <exception cref="MessagingException">
    /// Kind Permanent: the body is not JSON of the type. The message names the event and the place in the JSON.
    /// </exception>
    /// <exception cref="InvalidOperationException">The body is not of kind <see cref="EventBodyKind.Data"/>.</exception>
    public T? GetBodyAsJson<T>(JsonTypeInfo<T> type)
    {
        ArgumentNullException.ThrowIfNull(type);
        var json = TextBytes();
        try
        {
            return JsonSerializer.Deserialize(json, type);
        }
        catch (Exception invalid) when (invalid is not OutOfMemoryException)
        {
            // Converters may throw any exception.
            throw new MessagingException(FailureKind.Permanent, $"{Place}: its body is not JSON of {typeof(T).Name}: {invalid.Message}", invalid);
        }
    }

    /// <inheritdoc cref="GetBodyAsJson{T}(JsonTypeInfo{T})"/>
    /// <param name="options">The options. Null for <see cref="JsonSerializerOptions.Default"/>. They cannot be changed afterwards.</param>
    [RequiresUnreferencedCode(JsonTypes.NeedsReflection)]
    [RequiresDynamicCode(JsonTypes.NeedsReflection)]
    public T? GetBodyAsJson<T>(JsonSerializerOptions? options = null) => GetBodyAsJson(JsonTypes.Of<T>(options));

    private ReadOnlySpan<byte> TextBytes()
    {
        if (BodyKind != EventBodyKind.Data)
        {
            throw new InvalidOperationException($"{Place}: its body is of kind {BodyKind}; only a body of kind {EventBodyKind.Data} is text or JSON");
        }

        var bytes = Body.Span;
        return bytes.StartsWith(Encoding.UTF8.Preamble) ? bytes[Encoding.UTF8.Preamble.Length..] : bytes;
    }
}
