using System.Buffers.Binary;

namespace EventHubThroughput.Amqp.Codec;

// Typed reading of a composite's fields. A field that is missing at the end, or null, is null.
public ref partial struct AmqpReader
{
    /// <summary>What to restore after a composite's fields.</summary>
    internal readonly record struct FieldMark(int Limit, int Fields);

    /// <summary>Begins the list that holds a composite's fields.</summary>
    internal FieldMark BeginFields()
    {
        var code = ReadByte();
        var fields = _fields;
        if (code == FormatCode.ListEmpty)
        {
            Enter();
            var limit = _limit;
            _limit = _position;
            _fields = 0;
            return new FieldMark(limit, fields);
        }

        var outer = EnterCompound(code, FormatCode.List8, FormatCode.List32, "list", out var count);
        CheckCount(count, 1);
        _fields = count;
        return new FieldMark(outer, fields);
    }

    /// <summary>Ends the list. Skips fields of a later version of the protocol.</summary>
    internal void EndFields(FieldMark mark)
    {
        for (; _fields > 0; _fields--)
        {
            SkipValue();
        }

        LeaveCompound(mark.Limit);
        _fields = mark.Fields;
    }

    /// <summary>Skips fields, up to the end of the list.</summary>
    internal void PassFields(int count)
    {
        for (; count > 0 && _fields > 0; count--, _fields--)
        {
            SkipValue();
        }
    }

    /// <summary>Whether the next field has a value. The field counts as begun. Nothing may be read after it.</summary>
    internal bool IsNextPresent() => TryNext(out _);

    internal string? NextString() => TryNext(out var code) ? ReadStringBody(code) : null;

    internal AmqpSymbol? NextSymbol() => TryNext(out var code) ? new AmqpSymbol(ReadSymbolBody(code)) : default(AmqpSymbol?);

    internal ReadOnlyMemory<byte>? NextBinary() => TryNext(out var code) ? ReadBinaryBody(code) : default(ReadOnlyMemory<byte>?);

    internal uint? NextUInt() => TryNext(out var code) ? ReadUIntBody(code) : null;

    internal ulong? NextULong() => TryNext(out var code) ? ReadULongBody(code) : null;

    internal ushort? NextUShort()
    {
        if (!TryNext(out var code))
        {
            return null;
        }

        return code == FormatCode.UShort ? BinaryPrimitives.ReadUInt16BigEndian(Take(2)) : throw Mismatch(code, "ushort");
    }

    internal byte? NextUByte()
    {
        if (!TryNext(out var code))
        {
            return null;
        }

        return code == FormatCode.UByte ? ReadByte() : throw Mismatch(code, "ubyte");
    }

    internal bool? NextBool() => TryNext(out var code) ? ReadBooleanBody(code) : null;

    internal bool NextFlag() => NextBool() ?? false;

    internal AmqpTimestamp? NextTimestamp()
    {
        if (!TryNext(out var code))
        {
            return null;
        }

        return code == FormatCode.Timestamp ? new AmqpTimestamp(BinaryPrimitives.ReadInt64BigEndian(Take(8))) : throw Mismatch(code, "timestamp");
    }

    internal AmqpMap? NextMap() => TryNext(out var code) ? ReadMapBody(code) : null;

    internal object? NextValue() => TryNext(out var code) ? ReadBody(code) : default;

    /// <summary>Reads a field of type "multiple symbol": one value or an array of them.</summary>
    internal AmqpSymbol[]? NextSymbols()
    {
        if (!TryNext(out var code))
        {
            return null;
        }

        if (code is not (FormatCode.Array8 or FormatCode.Array32))
        {
            return [new AmqpSymbol(ReadSymbolBody(code))];
        }

        var outer = EnterCompound(code, FormatCode.Array8, FormatCode.Array32, "array", out var count);
        var element = ReadByte();
        CheckCount(count, GetWidth(element));
        var symbols = new List<AmqpSymbol>(Math.Min(count, TrustedCapacity));
        for (var i = 0; i < count; i++)
        {
            symbols.Add(new AmqpSymbol(ReadSymbolBody(element)));
        }

        LeaveCompound(outer);
        return [.. symbols];
    }

    /// <summary>Reads the descriptor of a field that holds a composite.</summary>
    internal bool TryNextDescribed(out ulong descriptor)
    {
        descriptor = 0;
        if (!TryNext(out var code))
        {
            return false;
        }

        if (code != FormatCode.Described)
        {
            throw Mismatch(code, "described value");
        }

        _position--;
        descriptor = ReadDescriptor();
        return true;
    }

    internal static T Mandatory<T>(T? value, string field)
        where T : class => value ?? throw Missing(field);

    internal static T Mandatory<T>(T? value, string field)
        where T : struct => value ?? throw Missing(field);

    private static AmqpException Missing(string field) => AmqpException.Decode($"The mandatory field {field} is missing.");

    private bool TryNext(out byte code)
    {
        code = FormatCode.Null;
        if (_fields == 0)
        {
            return false;
        }

        _fields--;
        code = ReadByte();
        return code != FormatCode.Null;
    }
}
