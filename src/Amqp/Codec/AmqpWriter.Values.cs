using System.Buffers.Binary;

namespace EventHubThroughput.Amqp.Codec;

public ref partial struct AmqpWriter
{
    // Constructor, size and count of the short form. A compound that turns out larger is moved up by the difference.
    private const int ShortHeader = 3;
    private const int LongHeader = 9;

    /// <summary>Writes a value in the shortest encoding of its type. A byte array is a binary.</summary>
    /// <exception cref="ArgumentException">No AMQP type corresponds.</exception>
    /// <exception cref="InvalidOperationException">Values are nested deeper than 32.</exception>
    public void WriteValue(object? value)
    {
        switch (value)
        {
            case null:
                WriteNull();
                break;
            case string text:
                WriteString(text);
                break;
            case AmqpSymbol symbol:
                WriteSymbol(symbol);
                break;
            case bool flag:
                WriteBoolean(flag);
                break;
            case int number:
                WriteInt(number);
                break;
            case long number:
                WriteLong(number);
                break;
            case uint number:
                WriteUInt(number);
                break;
            case ulong number:
                WriteULong(number);
                break;
            case AmqpTimestamp timestamp:
                WriteTimestamp(timestamp);
                break;
            case ReadOnlyMemory<byte> bytes:
                WriteBinary(bytes.Span);
                break;
            case byte[] bytes:
                WriteBinary(bytes);
                break;
            case AmqpMap map:
                WriteMap(map);
                break;
            case AmqpList list:
                WriteList(list);
                break;
            case AmqpArray array:
                WriteArray(array);
                break;
            case AmqpDescribed described:
                WriteDescribed(described);
                break;
            default:
                WriteFixed(value);
                break;
        }
    }

    /// <summary>Writes a list.</summary>
    /// <exception cref="ArgumentException">A value cannot be written.</exception>
    public void WriteList(AmqpList list)
    {
        var start = BeginList();
        PutListContent(list);
        EndList(start, list.Count);
    }

    /// <summary>Writes a map.</summary>
    /// <exception cref="ArgumentException">A value cannot be written.</exception>
    public void WriteMap(AmqpMap map)
    {
        var start = BeginMap();
        PutMapContent(map);
        EndMap(start, map.Count);
    }

    /// <summary>Begins a list whose values are written one by one.</summary>
    /// <returns>The argument of <see cref="EndList"/>.</returns>
    public int BeginList() => BeginCompound();

    /// <summary>Ends a list.</summary>
    /// <param name="list">What <see cref="BeginList"/> returned.</param>
    /// <param name="count">How many values were written.</param>
    public void EndList(int list, int count) => EndCompound(list, FormatCode.List8, count);

    /// <summary>Begins a map whose keys and values are written one by one.</summary>
    /// <returns>The argument of <see cref="EndMap"/>.</returns>
    public int BeginMap() => BeginCompound();

    /// <summary>Ends a map.</summary>
    /// <param name="map">What <see cref="BeginMap"/> returned.</param>
    /// <param name="count">How many keys, each with its value, were written.</param>
    public void EndMap(int map, int count) => EndCompound(map, FormatCode.Map8, count * 2);

    private void PutListContent(AmqpList list)
    {
        foreach (var value in list)
        {
            WriteValue(value);
        }
    }

    private void PutMapContent(AmqpMap map)
    {
        foreach (var entry in map)
        {
            WriteValue(entry.Key);
            WriteValue(entry.Value);
        }
    }

    private void WriteDescribed(AmqpDescribed described)
    {
        Enter();
        Put(FormatCode.Described);
        WriteValue(described.Descriptor);
        WriteValue(described.Value);
        _depth--;
    }

    private void WriteUShort(ushort value)
    {
        Put(FormatCode.UShort);
        BinaryPrimitives.WriteUInt16BigEndian(Next(2), value);
    }

    // The types that have one encoding only.
    private void WriteFixed(object value)
    {
        var code = value switch
        {
            byte => FormatCode.UByte,
            sbyte => FormatCode.Byte,
            ushort => FormatCode.UShort,
            short => FormatCode.Short,
            float => FormatCode.Float,
            double => FormatCode.Double,
            Guid => FormatCode.Uuid,
            AmqpChar => FormatCode.Char,
            AmqpDecimal number => DecimalCode(number),
            _ => throw new ArgumentException($"There is no AMQP type for {value.GetType().Name}.", nameof(value)),
        };
        Put(code);
        PutElement(code, value);
    }

    private static byte DecimalCode(AmqpDecimal number) =>
        number.Bytes.Length switch
        {
            4 => FormatCode.Decimal32,
            8 => FormatCode.Decimal64,
            _ => FormatCode.Decimal128,
        };

    private int BeginCompound()
    {
        Enter();
        Ensure(ShortHeader);
        _held++;
        var start = _used;
        _used += ShortHeader;
        return start;
    }

    private void EndCompound(int start, byte shortForm, int count)
    {
        var length = _used - start - ShortHeader;
        if (count == 0 && shortForm == FormatCode.List8)
        {
            _window[start] = FormatCode.ListEmpty;
            _used = start + 1;
        }
        else if (length + 1 <= byte.MaxValue && count <= byte.MaxValue)
        {
            _window[start] = shortForm;
            _window[start + 1] = (byte)(length + 1);
            _window[start + 2] = (byte)count;
        }
        else
        {
            Next(LongHeader - ShortHeader);
            _window.Slice(start + ShortHeader, length).CopyTo(_window[(start + LongHeader)..]);

            // The long form of every compound is 0x10 above its short one.
            _window[start] = (byte)(shortForm + 0x10);
            BinaryPrimitives.WriteInt32BigEndian(_window[(start + 1)..], length + 4);
            BinaryPrimitives.WriteInt32BigEndian(_window[(start + 5)..], count);
        }

        _held--;
        _depth--;
    }

    private void Enter()
    {
        if (_depth++ >= CodecLimits.Depth)
        {
            throw new InvalidOperationException($"Values are nested deeper than {CodecLimits.Depth}.");
        }
    }
}
