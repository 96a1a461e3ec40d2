using System.Buffers.Binary;
using System.Text;

namespace EventHubThroughput.Amqp.Codec;

// Searches one key of a map.
public ref partial struct AmqpReader
{
    /// <summary>
    /// Enters a map and stops before the value of a key, from which the value is read. What follows the value is not read. False when the map does not have
    /// the key. The whole map has then been read.
    /// </summary>
    internal bool TryEnterValue(string key)
    {
        var outer = EnterMap(ReadByte(), out var count);
        for (var i = 0; i < count; i += 2)
        {
            if (NextIs(key))
            {
                return true;
            }

            SkipValue();
        }

        LeaveCompound(outer);
        return false;
    }

    /// <summary>Reads an integer of any width and sign without allocating an object. Null for one that does not fit, and for any other value.</summary>
    internal long? ReadIntegerOrPass()
    {
        var code = ReadByte();
        switch (code)
        {
            case FormatCode.UByte:
                return ReadByte();
            case FormatCode.Byte or FormatCode.SmallInt or FormatCode.SmallLong:
                return (sbyte)ReadByte();
            case FormatCode.UShort:
                return BinaryPrimitives.ReadUInt16BigEndian(Take(2));
            case FormatCode.Short:
                return BinaryPrimitives.ReadInt16BigEndian(Take(2));
            case FormatCode.UInt or FormatCode.SmallUInt or FormatCode.UIntZero:
                return ReadUIntBody(code);
            case FormatCode.Int:
                return BinaryPrimitives.ReadInt32BigEndian(Take(4));
            case FormatCode.ULong or FormatCode.SmallULong or FormatCode.ULongZero:
                return ReadULongBody(code) is var value and <= long.MaxValue ? (long)value : null;
            case FormatCode.Long:
                return BinaryPrimitives.ReadInt64BigEndian(Take(8));
            default:
                ReadBody(code);
                return null;
        }
    }

    /// <summary>Reads a timestamp without allocating an object. Null for any other value.</summary>
    internal AmqpTimestamp? ReadTimestampOrPass()
    {
        var code = ReadByte();
        if (code == FormatCode.Timestamp)
        {
            return new AmqpTimestamp(BinaryPrimitives.ReadInt64BigEndian(Take(8)));
        }

        ReadBody(code);
        return null;
    }

    private int EnterMap(byte code, out int count)
    {
        var outer = EnterCompound(code, FormatCode.Map8, FormatCode.Map32, "map", out count);
        CheckCount(count, 1);
        return count % 2 == 0 ? outer : throw AmqpException.Decode("A map has a key without a value.");
    }

    // Reads the key, whether it is the wanted one or not.
    private bool NextIs(string key)
    {
        var start = _position;
        var code = ReadByte();
        switch (code)
        {
            case FormatCode.Symbol8 or FormatCode.Symbol32:
                return Ascii.Equals(Take(ReadWidth(code, FormatCode.Symbol8, FormatCode.Symbol32, "symbol")), key);
            case FormatCode.String8 or FormatCode.String32:
                return Ascii.Equals(Take(ReadWidth(code, FormatCode.String8, FormatCode.String32, "string")), key);
            default:
                _position = start;
                SkipValue();
                return false;
        }
    }
}
