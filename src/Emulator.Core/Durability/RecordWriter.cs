using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace EventHubThroughput.Emulator.Durability;

/// <summary>Builds the payload of one log record: fixed little-endian numbers, and bytes and text after their length.</summary>
internal sealed class RecordWriter
{
    private readonly ArrayBufferWriter<byte> _buffer = new(256);

    public ReadOnlySpan<byte> Written => _buffer.WrittenSpan;

    /// <summary>The same bytes. They belong to the writer, and the next record overwrites them.</summary>
    public ReadOnlyMemory<byte> WrittenMemory => _buffer.WrittenMemory;

    public int Length => _buffer.WrittenCount;

    /// <summary>Starts a record of a kind. Discards the previous content.</summary>
    public RecordWriter Start(byte kind)
    {
        _buffer.ResetWrittenCount();
        return Byte(kind);
    }

    public RecordWriter Byte(byte value)
    {
        _buffer.GetSpan(1)[0] = value;
        _buffer.Advance(1);
        return this;
    }

    public RecordWriter Int32(int value)
    {
        BinaryPrimitives.WriteInt32LittleEndian(_buffer.GetSpan(sizeof(int)), value);
        _buffer.Advance(sizeof(int));
        return this;
    }

    public RecordWriter Int64(long value)
    {
        BinaryPrimitives.WriteInt64LittleEndian(_buffer.GetSpan(sizeof(long)), value);
        _buffer.Advance(sizeof(long));
        return this;
    }

    public RecordWriter Time(DateTimeOffset value) => Int64(value.UtcTicks);

    public RecordWriter Bytes(ReadOnlySpan<byte> value)
    {
        Int32(value.Length);
        _buffer.Write(value);
        return this;
    }

    /// <summary>Null and empty text remain different.</summary>
    public RecordWriter Text(string? value)
    {
        if (value is null)
        {
            return Int32(-1);
        }

        var length = Encoding.UTF8.GetByteCount(value);
        Int32(length);
        Encoding.UTF8.GetBytes(value, _buffer.GetSpan(length));
        _buffer.Advance(length);
        return this;
    }
}
