namespace EventHubThroughput.Amqp.Codec;

// Typed writing of a composite's fields. The services write every field, nulls at the end included, and so does this writer. Microsoft's AMQP for Python
// reads a field by its position without checking how many there are.
public ref partial struct AmqpWriter
{
    /// <summary>Where a composite begins, and what to restore after it.</summary>
    internal readonly record struct CompositeMark(int Start, int Fields);

    internal CompositeMark BeginComposite(ulong descriptor)
    {
        WriteDescriptor(descriptor);
        var mark = new CompositeMark(BeginCompound(), _fields);
        _fields = 0;
        return mark;
    }

    internal void EndComposite(CompositeMark mark)
    {
        EndCompound(mark.Start, FormatCode.List8, _fields);
        _fields = mark.Fields;
    }

    internal void Field(string? value)
    {
        if (IsPresent(value is not null))
        {
            WriteString(value!);
        }
    }

    internal void Field(AmqpSymbol? value)
    {
        if (IsPresent(value.HasValue))
        {
            WriteSymbol(value.GetValueOrDefault());
        }
    }

    internal void SymbolField(string? value) => Field(value is null ? default(AmqpSymbol?) : new AmqpSymbol(value));

    /// <summary>Writes a field of type "multiple symbol": a single one as a value, several as an array.</summary>
    internal void Field(AmqpSymbol[]? values)
    {
        if (!IsPresent(values is not null))
        {
            return;
        }

        if (values!.Length == 1)
        {
            WriteSymbol(values[0]);
        }
        else
        {
            WriteSymbols(values);
        }
    }

    internal void Field(ReadOnlyMemory<byte>? value)
    {
        if (IsPresent(value.HasValue))
        {
            WriteBinary(value.GetValueOrDefault().Span);
        }
    }

    internal void Field(uint? value)
    {
        if (IsPresent(value.HasValue))
        {
            WriteUInt(value.GetValueOrDefault());
        }
    }

    internal void Field(ulong? value)
    {
        if (IsPresent(value.HasValue))
        {
            WriteULong(value.GetValueOrDefault());
        }
    }

    internal void Field(ushort? value)
    {
        if (IsPresent(value.HasValue))
        {
            WriteUShort(value.GetValueOrDefault());
        }
    }

    internal void Field(byte? value)
    {
        if (IsPresent(value.HasValue))
        {
            Put(FormatCode.UByte, value.GetValueOrDefault());
        }
    }

    internal void Field(bool? value)
    {
        if (IsPresent(value.HasValue))
        {
            WriteBoolean(value.GetValueOrDefault());
        }
    }

    /// <summary>Writes a boolean whose default is false: false is written as null.</summary>
    internal void Flag(bool value) => Field(value ? true : default(bool?));

    internal void Field(AmqpTimestamp? value)
    {
        if (IsPresent(value.HasValue))
        {
            WriteTimestamp(value.GetValueOrDefault());
        }
    }

    internal void Field(AmqpMap? value)
    {
        if (IsPresent(value is not null))
        {
            WriteMap(value!);
        }
    }

    internal void Field(AmqpComposite? value)
    {
        if (IsPresent(value is not null))
        {
            value!.Encode(ref this);
        }
    }

    /// <summary>Writes a field of any type.</summary>
    internal void ValueField(object? value)
    {
        if (IsPresent(value is not null))
        {
            WriteValue(value);
        }
    }

    private bool IsPresent(bool present)
    {
        _fields++;
        if (!present)
        {
            Put(FormatCode.Null);
        }

        return present;
    }
}
