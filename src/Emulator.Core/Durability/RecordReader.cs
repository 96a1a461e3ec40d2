using System.Buffers.Binary;
using System.Text;

namespace EventHubThroughput.Emulator.Durability;

/// <summary>
/// Reads the payload of one log record in the order in which <see cref="RecordWriter"/> wrote it. The checksum of its bytes was correct. Content that does not
/// fit was written by another program and causes an <see cref="InvalidDataException"/>.
/// </summary>
internal ref struct RecordReader(ReadOnlyMemory<byte> payload)
{
    private readonly ReadOnlyMemory<byte> _payload = payload;

    /// <summary>The number of bytes read. Added to the place of the record, it gives the place of the following bytes in the file.</summary>
    public int Position { get; private set; }

    public readonly bool AtEnd => Position == _payload.Length;

    public byte Byte() => Take(1).Span[0];

    public int Int32() => BinaryPrimitives.ReadInt32LittleEndian(Take(sizeof(int)).Span);

    public long Int64() => BinaryPrimitives.ReadInt64LittleEndian(Take(sizeof(long)).Span);

    public DateTimeOffset Time()
    {
        var ticks = Int64();
        return ticks >= 0 && ticks <= DateTimeOffset.MaxValue.Ticks ? new DateTimeOffset(ticks, TimeSpan.Zero) : throw CreateMismatch();
    }

    /// <summary>Shares the memory of the payload. Copy it to keep it after the call.</summary>
    public ReadOnlyMemory<byte> Bytes()
    {
        var length = Int32();
        return length >= 0 ? Take(length) : throw CreateMismatch();
    }

    public string? Text()
    {
        var length = Int32();
        return length switch
        {
            -1 => null,
            < 0 => throw CreateMismatch(),
            _ => Encoding.UTF8.GetString(Take(length).Span),
        };
    }

    private ReadOnlyMemory<byte> Take(int length)
    {
        if (length > _payload.Length - Position)
        {
            throw CreateMismatch();
        }

        var taken = _payload.Slice(Position, length);
        Position += length;
        return taken;
    }

    private static InvalidDataException CreateMismatch() => new("a record's content does not fit its kind");
}
