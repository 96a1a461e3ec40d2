namespace EventHubThroughput.Amqp.Codec;

/// <summary>An array: values of one type (AMQP 1.0 part 1, 1.6.24).</summary>
public sealed class AmqpArray
{
    private readonly object?[] _items;

    internal AmqpArray(byte elementCode, object[] descriptors, object?[] items)
    {
        ElementCode = elementCode;
        Descriptors = descriptors;
        _items = items;
    }

    /// <summary>The elements. Described ones as <see cref="AmqpDescribed"/>.</summary>
    public IReadOnlyList<object?> Items => _items;

    /// <summary>The element type, named by its full-width constructor: 0xb1 for strings however short they are.</summary>
    public byte ElementCode { get; }

    /// <summary>The descriptors that all elements share, the outermost first. Empty unless the elements are described.</summary>
    internal object[] Descriptors { get; }

    /// <summary>Creates an array of values of one primitive type.</summary>
    /// <typeparam name="T">A .NET type that represents an AMQP type: string, <see cref="AmqpSymbol"/>, long, <see cref="Guid"/> and so on.</typeparam>
    /// <exception cref="ArgumentException">No AMQP type corresponds to <typeparamref name="T"/>.</exception>
    public static AmqpArray Of<T>(IEnumerable<T> items)
        where T : notnull => new(GetCode(typeof(T)), [], [.. items.Select(static item => (object?)item)]);

    /// <summary>Creates an array of described values that share a descriptor.</summary>
    /// <param name="descriptor">A ulong or an <see cref="AmqpSymbol"/>.</param>
    /// <param name="values">The values without their descriptor, of one primitive type.</param>
    /// <exception cref="ArgumentException">No AMQP type corresponds to <typeparamref name="T"/>.</exception>
    public static AmqpArray OfDescribed<T>(object descriptor, IEnumerable<T> values)
        where T : notnull => new(GetCode(typeof(T)), [descriptor], [.. values.Select(value => (object?)new AmqpDescribed(descriptor, value))]);

    private static byte GetCode(Type type) =>
        Codes.TryGetValue(type, out var code) ? code : throw new ArgumentException($"There is no AMQP array of {type.Name}.", nameof(type));

    private static readonly Dictionary<Type, byte> Codes = new()
    {
        [typeof(bool)] = FormatCode.Boolean,
        [typeof(byte)] = FormatCode.UByte,
        [typeof(sbyte)] = FormatCode.Byte,
        [typeof(ushort)] = FormatCode.UShort,
        [typeof(short)] = FormatCode.Short,
        [typeof(uint)] = FormatCode.UInt,
        [typeof(int)] = FormatCode.Int,
        [typeof(ulong)] = FormatCode.ULong,
        [typeof(long)] = FormatCode.Long,
        [typeof(float)] = FormatCode.Float,
        [typeof(double)] = FormatCode.Double,
        [typeof(AmqpChar)] = FormatCode.Char,
        [typeof(AmqpTimestamp)] = FormatCode.Timestamp,
        [typeof(Guid)] = FormatCode.Uuid,
        [typeof(ReadOnlyMemory<byte>)] = FormatCode.Binary32,
        [typeof(string)] = FormatCode.String32,
        [typeof(AmqpSymbol)] = FormatCode.Symbol32,
        [typeof(AmqpList)] = FormatCode.List32,
        [typeof(AmqpMap)] = FormatCode.Map32,
        [typeof(AmqpArray)] = FormatCode.Array32,
    };
}
