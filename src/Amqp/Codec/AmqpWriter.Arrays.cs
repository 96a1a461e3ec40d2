using System.Buffers.Binary;
using System.Text;

namespace EventHubThroughput.Amqp.Codec;

public ref partial struct AmqpWriter
{
    /// <summary>Writes an array, its elements in the shortest form that all of them can have.</summary>
    /// <exception cref="ArgumentException">A value cannot be written.</exception>
    public void WriteArray(AmqpArray array)
    {
        var start = BeginCompound();
        PutArrayContent(array);
        EndCompound(start, FormatCode.Array8, array.Items.Count);
    }

    private void PutArrayContent(AmqpArray array)
    {
        foreach (var descriptor in array.Descriptors)
        {
            Put(FormatCode.Described);
            WriteValue(descriptor);
        }

        var code = ElementForm(array);
        Put(code);
        foreach (var item in array.Items)
        {
            var value = item;
            for (var i = 0; i < array.Descriptors.Length; i++)
            {
                value = ((AmqpDescribed)value!).Value;
            }

            PutElement(code, value);
        }
    }

    private void WriteSymbols(AmqpSymbol[] symbols)
    {
        var start = BeginCompound();
        var code = Array.TrueForAll(symbols, static symbol => symbol.Value is null or { Length: <= byte.MaxValue }) ? FormatCode.Symbol8 : FormatCode.Symbol32;
        Put(code);
        foreach (var symbol in symbols)
        {
            PutSymbol(code, symbol);
        }

        EndCompound(start, FormatCode.Array8, symbols.Length);
    }

    // Compounds inside an array keep the long form: their sizes are not known when the constructor is written.
    private static byte ElementForm(AmqpArray array) =>
        array.ElementCode switch
        {
            FormatCode.UInt when All(array, static item => item is uint and <= byte.MaxValue) => FormatCode.SmallUInt,
            FormatCode.ULong when All(array, static item => item is ulong and <= byte.MaxValue) => FormatCode.SmallULong,
            FormatCode.Int when All(array, static item => item is int and >= sbyte.MinValue and <= sbyte.MaxValue) => FormatCode.SmallInt,
            FormatCode.Long when All(array, static item => item is long and >= sbyte.MinValue and <= sbyte.MaxValue) => FormatCode.SmallLong,
            FormatCode.String32 when All(array, static item => Encoding.UTF8.GetByteCount((string)item!) <= byte.MaxValue) => FormatCode.String8,
            FormatCode.Symbol32 when All(array, static item => ((AmqpSymbol)item!).Value is null or { Length: <= byte.MaxValue }) => FormatCode.Symbol8,
            FormatCode.Binary32 when All(array, static item => ((ReadOnlyMemory<byte>)item!).Length <= byte.MaxValue) => FormatCode.Binary8,
            var code => code,
        };

    private static bool All(AmqpArray array, Func<object?, bool> fits)
    {
        foreach (var item in array.Items)
        {
            var value = item;
            for (var i = 0; i < array.Descriptors.Length; i++)
            {
                value = ((AmqpDescribed)value!).Value;
            }

            if (!fits(value))
            {
                return false;
            }
        }

        return true;
    }

    // A value without its constructor. The item type was fixed when the array was created, so the casts succeed.
    private void PutElement(byte code, object? item)
    {
        switch (code)
        {
            case FormatCode.Null:
                break;
            case FormatCode.Boolean:
                Put((bool)item! ? (byte)1 : (byte)0);
                break;
            case FormatCode.UByte:
                Put((byte)item!);
                break;
            case FormatCode.Byte:
                Put((byte)(sbyte)item!);
                break;
            case FormatCode.UShort:
                BinaryPrimitives.WriteUInt16BigEndian(Next(2), (ushort)item!);
                break;
            case FormatCode.Short:
                BinaryPrimitives.WriteInt16BigEndian(Next(2), (short)item!);
                break;
            case FormatCode.SmallUInt:
                Put((byte)(uint)item!);
                break;
            case FormatCode.UInt:
                BinaryPrimitives.WriteUInt32BigEndian(Next(4), (uint)item!);
                break;
            case FormatCode.SmallULong:
                Put((byte)(ulong)item!);
                break;
            case FormatCode.ULong:
                BinaryPrimitives.WriteUInt64BigEndian(Next(8), (ulong)item!);
                break;
            case FormatCode.SmallInt:
                Put((byte)(int)item!);
                break;
            case FormatCode.Int:
                BinaryPrimitives.WriteInt32BigEndian(Next(4), (int)item!);
                break;
            case FormatCode.SmallLong:
                Put((byte)(long)item!);
                break;
            case FormatCode.Long:
                BinaryPrimitives.WriteInt64BigEndian(Next(8), (long)item!);
                break;
            case FormatCode.Float:
                BinaryPrimitives.WriteSingleBigEndian(Next(4), (float)item!);
                break;
            case FormatCode.Double:
                BinaryPrimitives.WriteDoubleBigEndian(Next(8), (double)item!);
                break;
            case FormatCode.Char:
                BinaryPrimitives.WriteUInt32BigEndian(Next(4), ((AmqpChar)item!).CodePoint);
                break;
            case FormatCode.Timestamp:
                BinaryPrimitives.WriteInt64BigEndian(Next(8), ((AmqpTimestamp)item!).Milliseconds);
                break;
            case FormatCode.Uuid:
                ((Guid)item!).TryWriteBytes(Next(16), bigEndian: true, out _);
                break;
            case FormatCode.Decimal32 or FormatCode.Decimal64 or FormatCode.Decimal128:
                PutBytes(((AmqpDecimal)item!).Bytes.Span);
                break;
            default:
                PutVariableElement(code, item!);
                break;
        }
    }

    private void PutVariableElement(byte code, object item)
    {
        switch (code)
        {
            case FormatCode.String8 or FormatCode.String32:
                var length = Encoding.UTF8.GetByteCount((string)item);
                PutElementLength(code == FormatCode.String8, length);
                Encoding.UTF8.GetBytes((string)item, Next(length));
                break;
            case FormatCode.Symbol8 or FormatCode.Symbol32:
                PutSymbol(code, (AmqpSymbol)item);
                break;
            case FormatCode.Binary8 or FormatCode.Binary32:
                var bytes = (ReadOnlyMemory<byte>)item;
                PutElementLength(code == FormatCode.Binary8, bytes.Length);
                PutBytes(bytes.Span);
                break;
            default:
                PutCompoundElement(code, item);
                break;
        }
    }

    private void PutSymbol(byte code, AmqpSymbol symbol)
    {
        var text = symbol.Value ?? string.Empty;
        PutElementLength(code == FormatCode.Symbol8, text.Length);
        PutAscii(text);
    }

    private void PutElementLength(bool shortForm, int length)
    {
        if (shortForm)
        {
            Put((byte)length);
        }
        else
        {
            BinaryPrimitives.WriteInt32BigEndian(Next(4), length);
        }
    }

    private void PutCompoundElement(byte code, object item)
    {
        Enter();
        var start = _used;
        Next(8);
        var count = PutContent(code, item);
        BinaryPrimitives.WriteInt32BigEndian(_window[start..], _used - start - 4);
        BinaryPrimitives.WriteInt32BigEndian(_window[(start + 4)..], count);
        _depth--;
    }

    private int PutContent(byte code, object item)
    {
        switch (code)
        {
            case FormatCode.List32:
                PutListContent((AmqpList)item);
                return ((AmqpList)item).Count;
            case FormatCode.Map32:
                PutMapContent((AmqpMap)item);
                return ((AmqpMap)item).Count * 2;
            default:
                PutArrayContent((AmqpArray)item);
                return ((AmqpArray)item).Items.Count;
        }
    }
}
