using System.Buffers.Binary;
using System.Text;
using System.Text.Unicode;

namespace EventHubThroughput.Amqp.Codec;

/// <summary>
/// Reads encoded values one after another. Sizes and counts are checked against the bytes present before anything is allocated. Nesting is limited to 32 and
/// elements to 65,536. Every malformed input throws an <see cref="AmqpException"/> of scope <see cref="AmqpErrorScope.Decode"/>.
/// </summary>
public ref partial struct AmqpReader
{
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly ReadOnlyMemory<byte> _memory;
    private readonly bool _slices;
    private int _position;
    private int _limit;
    private int _fields;
    private int _depth;
    private int _widthless;

    /// <summary>Reads bytes that stay valid after the read: binary values are slices of them.</summary>
    public AmqpReader(ReadOnlyMemory<byte> bytes)
        : this(bytes.Span)
    {
        _memory = bytes;
        _slices = true;
    }

    /// <summary>Reads bytes that are valid only during the read: binary values are copied.</summary>
    public AmqpReader(ReadOnlySpan<byte> bytes)
    {
        _bytes = bytes;
        _limit = bytes.Length;
    }

    /// <summary>How many bytes have been read.</summary>
    public readonly int Position => _position;

    /// <summary>Whether all bytes have been read.</summary>
    public readonly bool End => _position == _limit;

    /// <summary>Reads a descriptor: the number, or the number of a symbol of <see cref="Descriptor"/>.</summary>
    /// <exception cref="AmqpException">There is no descriptor here, or its symbol is unknown.</exception>
    internal ulong ReadDescriptor()
    {
        if (ReadByte() != FormatCode.Described)
        {
            throw AmqpException.Decode("A described value is expected.");
        }

        var code = ReadByte();
        if (code is FormatCode.Symbol8 or FormatCode.Symbol32)
        {
            var symbol = ReadSymbolBody(code);
            return Descriptor.TryGetCode(symbol, out var known) ? known : throw AmqpException.Decode("The descriptor is not known.");
        }

        return ReadULongBody(code);
    }

    /// <summary>Reads a binary.</summary>
    public ReadOnlyMemory<byte> ReadBinary() => ReadBinaryBody(ReadByte());

    /// <summary>Reads a string.</summary>
    public string ReadString() => ReadStringBody(ReadByte());

    /// <summary>Reads a list.</summary>
    public AmqpList ReadList() => ReadListBody(ReadByte());

    /// <summary>Reads a map.</summary>
    public AmqpMap ReadMap() => ReadMapBody(ReadByte());

    /// <summary>Skips a value of any type, described or not. The content of a compound is not read.</summary>
    public void SkipValue()
    {
        var code = ReadByte();
        for (var depth = 0; code == FormatCode.Described; depth++)
        {
            CheckDepth(depth);
            SkipPrimitive(ReadByte());
            code = ReadByte();
        }

        SkipPrimitive(code);
    }

    // The high nibble fixes the width, so values of unknown types can be skipped as well.
    private void SkipPrimitive(byte code)
    {
        switch (code >> 4)
        {
            case 0xa or 0xc or 0xe:
                Take(ReadByte());
                break;
            case 0xb or 0xd or 0xf:
                Take(ReadLength());
                break;
            case >= 4 and <= 9:
                Take(GetWidth(code));
                break;
            default:
                throw Unknown(code);
        }
    }

    /// <summary>The bytes of a fixed-width value. For other types the fewest bytes that a value can have.</summary>
    private static int GetWidth(byte code) =>
        (code >> 4) switch
        {
            4 => 0,
            6 => 2,
            7 or 0xb => 4,
            8 or 0xd or 0xf => 8,
            9 => 16,
            _ => 1,
        };

    private byte ReadByte()
    {
        if (_position >= _limit)
        {
            throw Truncated();
        }

        return _bytes[_position++];
    }

    private ReadOnlySpan<byte> Take(int count)
    {
        if (count > _limit - _position)
        {
            throw Truncated();
        }

        var taken = _bytes.Slice(_position, count);
        _position += count;
        return taken;
    }

    private int ReadLength()
    {
        var length = BinaryPrimitives.ReadUInt32BigEndian(Take(4));
        return length <= int.MaxValue ? (int)length : throw Truncated();
    }

    private int ReadWidth(byte code, byte shortForm, byte longForm, string type)
    {
        if (code == shortForm)
        {
            return ReadByte();
        }

        return code == longForm ? ReadLength() : throw Mismatch(code, type);
    }

    private ulong ReadULongBody(byte code) =>
        code switch
        {
            FormatCode.SmallULong => ReadByte(),
            FormatCode.ULongZero => 0,
            FormatCode.ULong => BinaryPrimitives.ReadUInt64BigEndian(Take(8)),
            _ => throw Mismatch(code, "ulong"),
        };

    private uint ReadUIntBody(byte code) =>
        code switch
        {
            FormatCode.SmallUInt => ReadByte(),
            FormatCode.UIntZero => 0,
            FormatCode.UInt => BinaryPrimitives.ReadUInt32BigEndian(Take(4)),
            _ => throw Mismatch(code, "uint"),
        };

    private bool ReadBooleanBody(byte code) =>
        code switch
        {
            FormatCode.True => true,
            FormatCode.False => false,
            FormatCode.Boolean => ReadByte() switch
            {
                0 => false,
                1 => true,
                _ => throw AmqpException.Decode("A boolean is 0 or 1."),
            },
            _ => throw Mismatch(code, "boolean"),
        };

    private ReadOnlyMemory<byte> ReadBinaryBody(byte code)
    {
        var length = ReadWidth(code, FormatCode.Binary8, FormatCode.Binary32, "binary");
        var start = _position;
        var content = Take(length);
        return _slices ? _memory.Slice(start, length) : content.ToArray();
    }

    private string ReadStringBody(byte code)
    {
        var content = Take(ReadWidth(code, FormatCode.String8, FormatCode.String32, "string"));
        return Utf8.IsValid(content) ? Encoding.UTF8.GetString(content) : throw AmqpException.Decode("A string is not UTF-8.");
    }

    private string ReadSymbolBody(byte code)
    {
        var content = Take(ReadWidth(code, FormatCode.Symbol8, FormatCode.Symbol32, "symbol"));
        return Ascii.IsValid(content) ? Encoding.ASCII.GetString(content) : throw AmqpException.Decode("A symbol is not ASCII.");
    }

    private void Enter() => CheckDepth(_depth++);

    private static void CheckDepth(int depth)
    {
        if (depth >= CodecLimits.Depth)
        {
            throw AmqpException.Decode($"Values are nested deeper than {CodecLimits.Depth}.");
        }
    }

    private readonly AmqpException Truncated() => AmqpException.Decode($"The bytes end within a value that begins before {_position}.");

    private static AmqpException Unknown(byte code) => AmqpException.Decode($"0x{code:x2} is not a constructor.");

    private static AmqpException Mismatch(byte code, string type) => AmqpException.Decode($"A {type} is expected where the constructor is 0x{code:x2}.");
}
