using System.Buffers;

namespace EventHubThroughput.AzureProtocol;

/// <summary>A temporary text: in memory of the caller's stack first, and in a rented array once it is longer.</summary>
/// <param name="room">The memory to begin with.</param>
internal ref struct TextBuffer(Span<char> room)
{
    private Span<char> room = room;
    private char[]? rented;
    private int length;

    public readonly ReadOnlySpan<char> Written => room[..length];

    public void Append(char one) => Take(1)[0] = one;

    public void Append(ReadOnlySpan<char> text) => text.CopyTo(Take(text.Length));

    public void AppendLower(ReadOnlySpan<char> text) => text.ToLowerInvariant(Take(text.Length));

    public void Dispose()
    {
        if (rented is { } array)
        {
            rented = null;
            ArrayPool<char>.Shared.Return(array);
        }
    }

    private Span<char> Take(int count)
    {
        if (count > room.Length - length)
        {
            Grow(count);
        }

        var taken = room.Slice(length, count);
        length += count;
        return taken;
    }

    private void Grow(int count)
    {
        var larger = ArrayPool<char>.Shared.Rent(Math.Max(length + count, room.Length * 2));
        Written.CopyTo(larger);
        Dispose();
        room = rented = larger;
    }
}
