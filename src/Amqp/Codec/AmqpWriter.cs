using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace EventHubThroughput.Amqp.Codec;

/// <summary>
/// Writes values in their shortest encoding. Sizes are filled in when a compound ends, so nothing is measured beforehand. <see cref="Flush"/> must be called
/// at the end: only then does the output receive everything.
/// </summary>
public ref partial struct AmqpWriter
{
    private const int LeastWindow = 256;

    private readonly IBufferWriter<byte> _output;
    private Span<byte> _window;
    private byte[]? _rented;
    private int _used;

    // How many compounds are open. While one is open, its bytes must stay together and writable.
    private int _held;
    private int _depth;

    // The number of fields of the composite that is being written.
    private int _fields;

    /// <summary>Writes to a buffer writer.</summary>
    public AmqpWriter(IBufferWriter<byte> output) => _output = output;

    /// <param name="output">The destination of the bytes.</param>
    /// <param name="held">True to keep all bytes writable until <see cref="Flush"/>.</param>
    internal AmqpWriter(IBufferWriter<byte> output, bool held)
        : this(output) => _held = held ? 1 : 0;

    /// <summary>Bytes that the output has not received yet.</summary>
    internal readonly int Pending => _used;

    /// <summary>Those bytes, to be patched.</summary>
    internal readonly Span<byte> PendingSpan => _window[.._used];

    /// <summary>Hands everything written to the output.</summary>
    public void Flush()
    {
        if (_rented is { } rented)
        {
            _output.Write(rented.AsSpan(0, _used));
            ArrayPool<byte>.Shared.Return(rented);
            _rented = null;
        }
        else if (_used > 0)
        {
            _output.Advance(_used);
        }

        _window = default;
        _used = 0;
    }

    /// <summary>Writes null.</summary>
    public void WriteNull() => Put(FormatCode.Null);

    /// <summary>Writes a boolean.</summary>
    public void WriteBoolean(bool value) => Put(value ? FormatCode.True : FormatCode.False);

    /// <summary>Writes a uint.</summary>
    public void WriteUInt(uint value)
    {
        if (value == 0)
        {
            Put(FormatCode.UIntZero);
        }
        else if (value <= byte.MaxValue)
        {
            Put(FormatCode.SmallUInt, (byte)value);
        }
        else
        {
            Put(FormatCode.UInt);
            BinaryPrimitives.WriteUInt32BigEndian(Next(4), value);
        }
    }

    /// <summary>Writes a ulong.</summary>
    public void WriteULong(ulong value)
    {
        if (value == 0)
        {
            Put(FormatCode.ULongZero);
        }
        else if (value <= byte.MaxValue)
        {
            Put(FormatCode.SmallULong, (byte)value);
        }
        else
        {
            Put(FormatCode.ULong);
            BinaryPrimitives.WriteUInt64BigEndian(Next(8), value);
        }
    }

    /// <summary>Writes an int.</summary>
    public void WriteInt(int value)
    {
        if (value is >= sbyte.MinValue and <= sbyte.MaxValue)
        {
            Put(FormatCode.SmallInt, (byte)value);
        }
        else
        {
            Put(FormatCode.Int);
            BinaryPrimitives.WriteInt32BigEndian(Next(4), value);
        }
    }

    /// <summary>Writes a long.</summary>
    public void WriteLong(long value)
    {
        if (value is >= sbyte.MinValue and <= sbyte.MaxValue)
        {
            Put(FormatCode.SmallLong, (byte)value);
        }
        else
        {
            Put(FormatCode.Long);
            BinaryPrimitives.WriteInt64BigEndian(Next(8), value);
        }
    }

    /// <summary>Writes a timestamp.</summary>
    public void WriteTimestamp(AmqpTimestamp value)
    {
        Put(FormatCode.Timestamp);
        BinaryPrimitives.WriteInt64BigEndian(Next(8), value.Milliseconds);
    }

    /// <summary>Writes a string. A surrogate without its partner becomes U+FFFD.</summary>
    public void WriteString(string value)
    {
        // UTF-8 has at least one and at most three bytes for each char, so most lengths decide the form without counting.
        if (value.Length > byte.MaxValue)
        {
            var length = Encoding.UTF8.GetByteCount(value);
            PutLength(FormatCode.String32, length);
            Encoding.UTF8.GetBytes(value, Next(length));
            return;
        }

        Ensure(5 + (value.Length * 3));
        var written = Encoding.UTF8.GetBytes(value, _window[(_used + 2)..]);
        if (written <= byte.MaxValue)
        {
            Put(FormatCode.String8, (byte)written);
        }
        else
        {
            _window.Slice(_used + 2, written).CopyTo(_window[(_used + 5)..]);
            PutLength(FormatCode.String32, written);
        }

        _used += written;
    }

    /// <summary>Writes a symbol.</summary>
    /// <exception cref="ArgumentException">The text is not ASCII.</exception>
    public void WriteSymbol(AmqpSymbol value)
    {
        var text = value.Value ?? string.Empty;
        PutVariable(FormatCode.Symbol8, FormatCode.Symbol32, text.Length);
        PutAscii(text);
    }

    /// <summary>Writes a binary.</summary>
    public void WriteBinary(ReadOnlySpan<byte> value)
    {
        PutVariable(FormatCode.Binary8, FormatCode.Binary32, value.Length);
        PutBytes(value);
    }

    /// <summary>Writes the descriptor of the value that follows.</summary>
    public void WriteDescriptor(ulong descriptor)
    {
        Put(FormatCode.Described);
        WriteULong(descriptor);
    }

    /// <summary>Leaves bytes free, to be patched through <see cref="PendingSpan"/>.</summary>
    internal void Reserve(int count) => Next(count);

    /// <summary>Discards everything that is pending.</summary>
    internal void Clear() => _used = 0;

    private void Put(byte value)
    {
        Ensure(1);
        _window[_used++] = value;
    }

    private void Put(byte first, byte second)
    {
        Ensure(2);
        _window[_used] = first;
        _window[_used + 1] = second;
        _used += 2;
    }

    private void PutLength(byte code, int length)
    {
        Put(code);
        BinaryPrimitives.WriteInt32BigEndian(Next(4), length);
    }

    private void PutVariable(byte shortForm, byte longForm, int length)
    {
        if (length <= byte.MaxValue)
        {
            Put(shortForm, (byte)length);
        }
        else
        {
            PutLength(longForm, length);
        }
    }

    private void PutAscii(string text)
    {
        if (Ascii.FromUtf16(text, Next(text.Length), out _) != OperationStatus.Done)
        {
            throw new ArgumentException($"The symbol '{text}' is not ASCII.", nameof(text));
        }
    }

    private void PutBytes(ReadOnlySpan<byte> bytes)
    {
        if (_held == 0 && bytes.Length > _window.Length - _used)
        {
            // A body that does not fit is written to the output directly, without the window.
            Flush();
            _output.Write(bytes);
        }
        else
        {
            bytes.CopyTo(Next(bytes.Length));
        }
    }

    private Span<byte> Next(int count)
    {
        Ensure(count);
        var next = _window.Slice(_used, count);
        _used += count;
        return next;
    }

    private void Ensure(int count)
    {
        if (count > _window.Length - _used)
        {
            Grow(count);
        }
    }

    private void Grow(int count)
    {
        if (_held == 0 || _window.IsEmpty)
        {
            Flush();
            _window = _output.GetSpan(Math.Max(count, LeastWindow));
            return;
        }

        // Asking the output again would invalidate the memory that it lent before, so open compounds move to a rented array.
        var larger = ArrayPool<byte>.Shared.Rent(Math.Max(checked(_used + count), 2 * _window.Length));
        _window[.._used].CopyTo(larger);
        if (_rented is { } rented)
        {
            ArrayPool<byte>.Shared.Return(rented);
        }

        _rented = larger;
        _window = larger;
    }
}
