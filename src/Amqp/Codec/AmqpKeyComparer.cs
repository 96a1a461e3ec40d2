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
            long value => ComputeHash(value),
            ulong value => ComputeHash(value),
            double value => ComputeHash(value),
            AmqpTimestamp value => ComputeHash(value.Milliseconds),
            Guid value => ComputeHash(value),
            ReadOnlyMemory<byte> value => ComputeHash(value.Span),
            AmqpDescribed value => HashCode.Combine(GetHashCode(value.Descriptor), value.Value is null ? 0 : GetHashCode(value.Value)),
            _ => HashCode.Combine(obj),
        };

    private static int ComputeHash<T>(T value)
        where T : unmanaged => ComputeHash(MemoryMarshal.AsBytes(new ReadOnlySpan<T>(in value)));

    private static int ComputeHash(ReadOnlySpan<byte> bytes)
    {
        var hash = default(HashCode);
        hash.AddBytes(bytes);
        return hash.ToHashCode();
    }
}
