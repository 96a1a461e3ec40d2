using System.Buffers;
using System.Runtime.InteropServices;

namespace EventHubThroughput.Clients.Azure.Messages;

/// <summary>
/// Encoded application properties that keep the plain values from which they were encoded. An event's properties travel to the sinks as bytes. A message of
/// the package takes them as values again. Decoding the bytes would allocate every name and value a second time.
/// </summary>
internal sealed class RememberedProperties : MemoryManager<byte>
{
    private readonly Dictionary<string, object?> plain;
    private readonly ReadOnlyMemory<byte> encoded;

    private RememberedProperties(Dictionary<string, object?> plain, ReadOnlyMemory<byte> encoded)
    {
        this.plain = plain;
        this.encoded = encoded;
    }

    /// <summary>Encodes properties that the package has decoded. Empty for none. The dictionary must not be changed afterwards.</summary>
    /// <exception cref="MessagingException">Kind Permanent when the type of a value is not allowed in application properties.</exception>
    public static ReadOnlyMemory<byte> Encode(IDictionary<string, object?> plain)
    {
        var values = plain as Dictionary<string, object?> ?? new(plain, StringComparer.Ordinal);
        var bytes = PlainProperties.Encode(values);
        return bytes.IsEmpty ? default : new RememberedProperties(values, bytes).Memory;
    }

    /// <summary>Adds the values of encoded properties. They are decoded if they were not kept.</summary>
    /// <exception cref="MessagingException">Kind Permanent when the bytes are not a map, or a value has no plain form.</exception>
    public static void CopyTo(ReadOnlyMemory<byte> properties, IDictionary<string, object?> target)
    {
        if (Find(properties) is { } plain)
        {
            foreach ((var name, var value) in plain)
            {
                target.Add(name, value);
            }

            return;
        }

        foreach ((var name, var value) in PlainProperties.Decode(properties))
        {
            target.Add(name, value);
        }
    }

    /// <summary>The values by name, read-only. They are decoded if they were not kept.</summary>
    /// <exception cref="MessagingException">Kind Permanent when the bytes are not a map, or a value has no plain form.</exception>
    public static IReadOnlyDictionary<string, object?> ToDictionary(ReadOnlyMemory<byte> properties) =>
        Find(properties)?.AsReadOnly() ?? PlainProperties.Decode(properties);

    public override Span<byte> GetSpan() => MemoryMarshal.AsMemory(encoded).Span;

    public override MemoryHandle Pin(int elementIndex = 0) => MemoryMarshal.AsMemory(encoded)[elementIndex..].Pin();

    public override void Unpin() { }

    protected override bool TryGetArray(out ArraySegment<byte> segment) => MemoryMarshal.TryGetArray(encoded, out segment);

    protected override void Dispose(bool disposing) { }

    private static Dictionary<string, object?>? Find(ReadOnlyMemory<byte> properties) =>
        MemoryMarshal.TryGetMemoryManager(properties, out RememberedProperties? remembered, out _, out var length) && length == remembered.encoded.Length
            ? remembered.plain
            : null;
}
