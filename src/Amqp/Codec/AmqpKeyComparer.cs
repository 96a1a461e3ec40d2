using System.Runtime.InteropServices;

namespace EventHubThroughput.Amqp.Codec;

/// <summary>
/// Compares map keys: binaries by content, all others by value. Wide values are hashed with a random seed over all their bits. Otherwise a peer could choose
/// keys that collide.
/// </summary>
internal sealed class AmqpKeyComparer : IEqualityComparer<object>
{
    public static AmqpKeyComparer Instance { get; } = new();

    public new bool Equals(object? x, object? y) =>
        (x, y) switch
        {
            (ReadOnlyMemory<byte> left, ReadOnlyMemory<byte> right) => left.Span.SequenceEqual(right.Span),
            (AmqpDescribed left, AmqpDescribed right) => Equals(left.Descriptor, right.Descriptor) && Equals(left.Value, right.Value),
            _ => object.Equals(x, y),
        };

    public int GetHashCode(object obj) =>
        obj switch
        {
            string or AmqpSymbol => obj.GetHashCode(),
            long value => HashOf(value),
            ulong value => HashOf(value),
            double value => HashOf(value),
            AmqpTimestamp value => HashOf(value.Milliseconds),
            Guid value => HashOf(value),
            ReadOnlyMemory<byte> value => HashOf(value.Span),
            AmqpDescribed value => HashCode.Combine(GetHashCode(value.Descriptor), value.Value is null ? 0 : GetHashCode(value.Value)),
            _ => HashCode.Combine(obj),
        };

    private static int HashOf<T>(T value)
        where T : unmanaged => HashOf(MemoryMarshal.AsBytes(new ReadOnlySpan<T>(in value)));

    private static int HashOf(ReadOnlySpan<byte> bytes)
    {
        var hash = default(HashCode);
        hash.AddBytes(bytes);
        return hash.ToHashCode();
    }
}
