using System.Buffers.Binary;
using System.Text;

namespace EventHubThroughput.Emulator.Durability;

/// <summary>
/// Reads the payload of one log record in the order in which <see cref="RecordWriter"/> wrote it. Its bytes passed their
/// checksum. Whatever still does not fit was written by something else, and is an <see cref="InvalidDataException"/>.
/// </summary>
internal ref struct RecordReader(ReadOnlyMemory<byte> payload)
{
    private readonly ReadOnlyMemory<byte> _payload = payload;

    /// <summary>How much has been read. With the record's own place it gives the place of what follows in the file.</summary>
    public int Position { get; private set; }

    public readonly bool AtEnd => Position == _payload.Length;

    public byte Byte() => Take(1).Span[0];

    public int Int32() => BinaryPrimitives.ReadInt32LittleEndian(Take(sizeof(int)).Span);

    public long Int64() => BinaryPrimitives.ReadInt64LittleEndian(Take(sizeof(long)).Span);

    public DateTimeOffset Time()
    {
        var ticks = Int64();
        return ticks >= 0 && ticks <= DateTimeOffset.MaxValue.Ticks ? new DateTimeOffset(ticks, TimeSpan.Zero) : throw Misfit();
    }

    /// <summary>Shares the payload's memory: copy it to keep it beyond the call.</summary>
    public ReadOnlyMemory<byte> Bytes()
    {
        var length = Int32();
        return length >= 0 ? Take(length) : throw Misfit();
    }

    public string? Text()
    {
        var length = Int32();
        return length switch
        {
            -1 => null,
            < 0 => throw Misfit(),
            _ => Encoding.UTF8.GetString(Take(length).Span),
        };
    }

    private ReadOnlyMemory<byte> Take(int length)
    {
        if (length > _payload.Length - Position)
        {
            throw Misfit();
        }

        var taken = _payload.Slice(Position, length);
        Position += length;
        return taken;
    }

    private static InvalidDataException Misfit() => new("a record's content does not fit its kind");
}
