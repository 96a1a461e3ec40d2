using System.Buffers.Binary;

namespace EventHubThroughput.Amqp.Codec;

public ref partial struct AmqpReader
{
    // The capacity that is granted before any element was read. Beyond it a list grows with the elements that really arrive.
    private const int TrustedCapacity = 16;

    private static readonly object BoxedTrue = true;
    private static readonly object BoxedFalse = false;

    /// <summary>Reads a value of any type as the .NET type that represents it.</summary>
    public object? ReadValue() => ReadBody(ReadByte());

    private object? ReadBody(byte code) =>
        code switch
        {
            FormatCode.Null => null,
            FormatCode.Described => ReadDescribed(),
            FormatCode.True or FormatCode.False or FormatCode.Boolean => ReadBooleanBody(code) ? BoxedTrue : BoxedFalse,
            FormatCode.UByte => ReadByte(),
            FormatCode.Byte => (sbyte)ReadByte(),
            FormatCode.UShort => BinaryPrimitives.ReadUInt16BigEndian(Take(2)),
            FormatCode.Short => BinaryPrimitives.ReadInt16BigEndian(Take(2)),
            FormatCode.UInt or FormatCode.SmallUInt or FormatCode.UIntZero => ReadUIntBody(code),
            FormatCode.SmallInt => (int)(sbyte)ReadByte(),
            FormatCode.Int => BinaryPrimitives.ReadInt32BigEndian(Take(4)),
            FormatCode.ULong or FormatCode.SmallULong or FormatCode.ULongZero => ReadULongBody(code),
            FormatCode.SmallLong => (long)(sbyte)ReadByte(),
            FormatCode.Long => BinaryPrimitives.ReadInt64BigEndian(Take(8)),
            FormatCode.Float => BinaryPrimitives.ReadSingleBigEndian(Take(4)),
            FormatCode.Double => BinaryPrimitives.ReadDoubleBigEndian(Take(8)),
            FormatCode.Decimal32 or FormatCode.Decimal64 or FormatCode.Decimal128 => new AmqpDecimal(Take(GetWidth(code)).ToArray()),
            FormatCode.Char => new AmqpChar(BinaryPrimitives.ReadUInt32BigEndian(Take(4))),
            FormatCode.Timestamp => new AmqpTimestamp(BinaryPrimitives.ReadInt64BigEndian(Take(8))),
            FormatCode.Uuid => new Guid(Take(16), bigEndian: true),
            FormatCode.Binary8 or FormatCode.Binary32 => ReadBinaryBody(code),
            FormatCode.String8 or FormatCode.String32 => ReadStringBody(code),
            FormatCode.Symbol8 or FormatCode.Symbol32 => new AmqpSymbol(ReadSymbolBody(code)),
            FormatCode.ListEmpty or FormatCode.List8 or FormatCode.List32 => ReadListBody(code),
            FormatCode.Map8 or FormatCode.Map32 => ReadMapBody(code),
            FormatCode.Array8 or FormatCode.Array32 => ReadArrayBody(code),
            _ => throw Unknown(code),
        };

    private AmqpDescribed ReadDescribed()
    {
        Enter();
        var described = new AmqpDescribed(ReadAnyDescriptor(), ReadValue());
        _depth--;
        return described;
    }

    private object ReadAnyDescriptor() => ReadValue() ?? throw AmqpException.Decode("A descriptor is null.");

    private AmqpList ReadListBody(byte code)
    {
        if (code == FormatCode.ListEmpty)
        {
            return [];
        }

        var outer = EnterCompound(code, FormatCode.List8, FormatCode.List32, "list", out var count);
        CheckCount(count, 1);
        var list = new AmqpList(Math.Min(count, TrustedCapacity));
        for (var i = 0; i < count; i++)
        {
            list.Add(ReadValue());
        }

        LeaveCompound(outer);
        return list;
    }

    private AmqpMap ReadMapBody(byte code)
    {
        var outer = EnterMap(code, out var count);
        var map = new AmqpMap(Math.Min(count / 2, TrustedCapacity));
        for (var i = 0; i < count; i += 2)
        {
            var key = ReadValue() ?? throw AmqpException.Decode("A key of a map is null.");
            if (!map.TryAdd(key, ReadValue()))
            {
                throw AmqpException.Decode("A key of a map occurs twice.");
            }
        }

        LeaveCompound(outer);
        return map;
    }

    private AmqpArray ReadArrayBody(byte code)
    {
        var outer = EnterCompound(code, FormatCode.Array8, FormatCode.Array32, "array", out var count);
        var element = ReadElementConstructor(out var descriptors);
        CheckElement(element);
        CheckCount(count, GetWidth(element));
        var items = count == 0 ? [] : new List<object?>(Math.Min(count, TrustedCapacity));
        for (var i = 0; i < count; i++)
        {
            var item = ReadBody(element);
            for (var d = descriptors.Length - 1; d >= 0; d--)
            {
                item = new AmqpDescribed(descriptors[d], item);
            }

            items.Add(item);
        }

        LeaveCompound(outer);
        return new AmqpArray(FormatCode.FullWidth(element), descriptors, [.. items]);
    }

    /// <summary>Reads the constructor that all elements of an array share, and the descriptors before it.</summary>
    private byte ReadElementConstructor(out object[] descriptors)
    {
        var element = ReadByte();
        if (element != FormatCode.Described)
        {
            descriptors = [];
            return element;
        }

        var found = new List<object>(1);
        while (element == FormatCode.Described)
        {
            CheckDepth(_depth + found.Count);
            found.Add(ReadAnyDescriptor());
            element = ReadByte();
        }

        descriptors = [.. found];
        return element;
    }

    // Matters only to empty arrays: otherwise the first element shows the error.
    private static void CheckElement(byte element)
    {
        if (element < FormatCode.Null)
        {
            throw Unknown(element);
        }
    }

    /// <summary>Reads size and count of a compound and limits the reader to its bytes.</summary>
    /// <returns>The limit to return to.</returns>
    private int EnterCompound(byte code, byte shortForm, byte longForm, string type, out int count)
    {
        Enter();
        var size = ReadWidth(code, shortForm, longForm, type);
        if (size > _limit - _position)
        {
            throw Truncated();
        }

        var outer = _limit;
        _limit = _position + size;
        count = code == longForm ? ReadLength() : ReadByte();
        return outer;
    }

    private void LeaveCompound(int outer)
    {
        if (_position != _limit)
        {
            throw AmqpException.Decode("The elements of a compound do not fill its size.");
        }

        _limit = outer;
        _depth--;
    }

    private void CheckCount(int count, int leastWidth)
    {
        if (count > CodecLimits.Elements || (long)count * leastWidth > _limit - _position)
        {
            throw AmqpException.Decode($"{count} elements are more than the limit or than the bytes present.");
        }

        if (leastWidth == 0 && (_widthless += count) > CodecLimits.WidthlessElements)
        {
            throw AmqpException.Decode($"There are more than {CodecLimits.WidthlessElements} array elements without bytes.");
        }
    }
}
