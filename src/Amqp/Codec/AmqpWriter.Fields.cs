namespace EventHubThroughput.Amqp.Codec;

// Typed writing of a composite's fields. Null at the end is left out.
public ref partial struct AmqpWriter
{
    /// <summary>Where a composite begins, and what to return to after it.</summary>
    internal readonly record struct CompositeMark(int Start, int Fields, int LastField, int LastFieldEnd);

    internal CompositeMark BeginComposite(ulong descriptor)
    {
        WriteDescriptor(descriptor);
        var mark = new CompositeMark(BeginCompound(), _fields, _lastField, _lastFieldEnd);
        _fields = 0;
        _lastField = 0;
        _lastFieldEnd = _used;
        return mark;
    }

    internal void EndComposite(CompositeMark mark)
    {
        _used = _lastFieldEnd;
        EndCompound(mark.Start, FormatCode.List8, _lastField);
        _fields = mark.Fields;
        _lastField = mark.LastField;
        _lastFieldEnd = mark.LastFieldEnd;
    }

    internal void Field(string? value)
    {
        if (IsPresent(value is not null))
        {
            WriteString(value!);
            EndField();
        }
    }

    internal void Field(AmqpSymbol? value)
    {
        if (IsPresent(value.HasValue))
        {
            WriteSymbol(value.GetValueOrDefault());
            EndField();
        }
    }

    internal void SymbolField(string? value) => Field(value is null ? default(AmqpSymbol?) : new AmqpSymbol(value));

    /// <summary>Writes a field of type "multiple symbol": one alone as a value, others as an array.</summary>
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

        EndField();
    }

    internal void Field(ReadOnlyMemory<byte>? value)
    {
        if (IsPresent(value.HasValue))
        {
            WriteBinary(value.GetValueOrDefault().Span);
            EndField();
        }
    }

    internal void Field(uint? value)
    {
        if (IsPresent(value.HasValue))
        {
            WriteUInt(value.GetValueOrDefault());
            EndField();
        }
    }

    internal void Field(ulong? value)
    {
        if (IsPresent(value.HasValue))
        {
            WriteULong(value.GetValueOrDefault());
            EndField();
        }
    }

    internal void Field(ushort? value)
    {
        if (IsPresent(value.HasValue))
        {
            WriteUShort(value.GetValueOrDefault());
            EndField();
        }
    }

    internal void Field(byte? value)
    {
        if (IsPresent(value.HasValue))
        {
            Put(FormatCode.UByte, value.GetValueOrDefault());
            EndField();
        }
    }

    internal void Field(bool? value)
    {
        if (IsPresent(value.HasValue))
        {
            WriteBoolean(value.GetValueOrDefault());
            EndField();
        }
    }

    /// <summary>Writes a boolean whose default is false: false is left out.</summary>
    internal void Flag(bool value) => Field(value ? true : default(bool?));

    internal void Field(AmqpTimestamp? value)
    {
        if (IsPresent(value.HasValue))
        {
            WriteTimestamp(value.GetValueOrDefault());
            EndField();
        }
    }

    internal void Field(AmqpMap? value)
    {
        if (IsPresent(value is not null))
        {
            WriteMap(value!);
            EndField();
        }
    }

    internal void Field(AmqpComposite? value)
    {
        if (IsPresent(value is not null))
        {
            value!.Encode(ref this);
            EndField();
        }
    }

    /// <summary>Writes a field of any type.</summary>
    internal void ValueField(object? value)
    {
        if (IsPresent(value is not null))
        {
            WriteValue(value);
            EndField();
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

    private void EndField()
    {
        _lastField = _fields;
        _lastFieldEnd = _used;
    }
}
