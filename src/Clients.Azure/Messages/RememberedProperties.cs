using System.Buffers;
using System.Runtime.InteropServices;

namespace EventHubThroughput.Clients.Azure.Messages;

/// <summary>
/// Encoded application properties that remember the plain values from which they were encoded. An event's properties travel to the sinks as
/// bytes. A message of the package takes them as values again, and decoding the bytes would make every name and value anew.
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

    /// <summary>Encodes what the package has decoded. Nothing for none. The dictionary must not be changed afterwards.</summary>
    /// <exception cref="MessagingException">Kind Permanent when a value is of a type that no application property has.</exception>
    public static ReadOnlyMemory<byte> Encode(IDictionary<string, object?> plain)
    {
        var values = plain as Dictionary<string, object?> ?? new(plain, StringComparer.Ordinal);
        var bytes = PlainProperties.Encode(values);
        return bytes.IsEmpty ? default : new RememberedProperties(values, bytes).Memory;
    }

    /// <summary>Adds the values of encoded properties, which are decoded unless they are remembered.</summary>
    /// <exception cref="MessagingException">Kind Permanent when the bytes are no map, or a value has no plain form.</exception>
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

    /// <summary>The values by name, read-only. They are decoded unless they are remembered.</summary>
    /// <exception cref="MessagingException">Kind Permanent when the bytes are no map, or a value has no plain form.</exception>
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
