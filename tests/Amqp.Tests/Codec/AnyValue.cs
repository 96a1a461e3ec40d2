using EventHubThroughput.Amqp.Codec;
using FsCheck;
using FsCheck.Fluent;

namespace EventHubThroughput.Amqp.Tests.Codec;

/// <summary>Generators of values of every AMQP type, with the bounds of each width more often than chance would have them.</summary>
internal static class AnyValue
{
    private static readonly ulong[] Bounds =
    [
        0,
        1,
        2,
        127,
        128,
        129,
        255,
        256,
        32767,
        32768,
        65535,
        65536,
        int.MaxValue,
        0x80000000,
        uint.MaxValue,
        0x100000000,
        long.MaxValue,
        0x8000000000000000,
        0xffffffffffffff80,
        0xffffffffffffff7f,
        ulong.MaxValue,
    ];

    public static Gen<ulong> Bits { get; } =
        Gen.OneOf(
            Gen.Elements(Bounds),
            Gen.Choose(0, 300).Select(small => (ulong)small),
            Gen.Choose(0, 0xffff).ArrayOf(4).Select(parts => parts.Aggregate(0UL, (bits, part) => (bits << 16) | (uint)part))
        );

    public static Gen<string> Text { get; } =
        Gen.OneOf(
            Gen.Elements(
                "",
                "a",
                "ü",
                "€",
                "😀",
                "x-opt-offset",
                "\0",
                new string('a', 254),
                new string('a', 255),
                new string('a', 256),
                new string('ü', 128),
                new string('€', 90)
            ),
            Gen.Elements("a", "Z", "0", "é", "ß", "€", "漢", "😀").ListOf().Select(string.Concat)
        );

    public static Gen<string> AsciiText { get; } =
        Gen.OneOf(
            Gen.Elements("", "a", "x-opt-offset", new string('s', 255), new string('s', 256)),
            Gen.Choose(32, 126).Select(code => ((char)code).ToString()).ListOf().Select(string.Concat)
        );

    public static Gen<AmqpSymbol> Symbol { get; } = AsciiText.Select(text => new AmqpSymbol(text));

    public static Gen<byte[]> Octets { get; } =
        Gen.OneOf(
            Gen.Elements(0, 1, 31, 32, 254, 255, 256, 1000).Select(length => new byte[length]),
            Gen.Choose(0, 255).Select(octet => (byte)octet).ArrayOf()
        );

    public static Gen<ReadOnlyMemory<byte>> Binary { get; } = Octets.Select(octets => (ReadOnlyMemory<byte>)octets);

    public static Gen<Guid> Uuid { get; } = Two(Bits).Select(bits => new Guid([.. BitConverter.GetBytes(bits.Item1), .. BitConverter.GetBytes(bits.Item2)]));

    public static Gen<AmqpTimestamp> Timestamp { get; } = Bits.Select(bits => new AmqpTimestamp((long)bits));

    public static Gen<object?> Scalar { get; } =
        Gen.OneOf(
            Gen.Constant((object?)null),
            Gen.Elements(true, false).Select(Box),
            Bits.Select(bits => Box((byte)bits)),
            Bits.Select(bits => Box((sbyte)bits)),
            Bits.Select(bits => Box((ushort)bits)),
            Bits.Select(bits => Box((short)bits)),
            Bits.Select(bits => Box((uint)bits)),
            Bits.Select(bits => Box((int)bits)),
            Bits.Select(Box),
            Bits.Select(bits => Box((long)bits)),
            Bits.Select(bits => Box(BitConverter.UInt32BitsToSingle((uint)bits))),
            Bits.Select(bits => Box(BitConverter.UInt64BitsToDouble(bits))),
            Bits.Select(bits => Box(new AmqpChar((uint)bits))),
            Gen.Elements(4, 8, 16).Select(length => Box(new AmqpDecimal(Enumerable.Range(0, length).Select(i => (byte)(i * 17)).ToArray()))),
            Timestamp.Select(Box),
            Uuid.Select(Box),
            Binary.Select(Box),
            Text.Select(Box),
            Symbol.Select(Box)
        );

    // Other types than the first two are reserved, but can be sent.
    public static Gen<object> Descriptor { get; } =
        Gen.OneOf(
            Bits.Select(bits => (object)bits),
            Symbol.Select(symbol => (object)symbol),
            Text.Select(text => (object)text),
            Binary.Select(bytes => (object)bytes)
        );

    /// <summary>Any value, nested up to four levels.</summary>
    public static Gen<object?> Any { get; } = Nested(4);

    public static Gen<AmqpMap> Map { get; } = MapOf(Scalar, Nested(1));

    public static Gen<AmqpMap> SymbolMap { get; } = MapOf(Symbol.Select(Box), Nested(1));

    public static Gen<T?> Optional<T>(Gen<T> value)
        where T : struct => Gen.OneOf(Gen.Constant((T?)null), value.Select(present => (T?)present));

    public static Gen<T?> OptionalOf<T>(Gen<T> value)
        where T : class => Gen.OneOf(Gen.Constant((T?)null), value.Select(present => (T?)present));

    private static Gen<object?> Nested(int levels) =>
        levels == 0
            ? Scalar
            : Gen.Frequency(
                (6, Scalar),
                (1, Gen.Sized(size => Nested(levels - 1).ListOf(Math.Min(size, 12)).Select(items => Box(new AmqpList(items))))),
                (1, MapOf(Scalar, Nested(levels - 1)).Select(Box)),
                (1, Array(levels).Select(Box)),
                (1, Descriptor.SelectMany(descriptor => Nested(levels - 1).Select(value => Box(new AmqpDescribed(descriptor, value)))))
            );

    private static Gen<AmqpMap> MapOf(Gen<object?> keys, Gen<object?> values) =>
        Gen.Sized(size =>
            Two(keys, values)
                .ListOf(Math.Min(size, 24))
                .Select(entries =>
                {
                    var map = new AmqpMap();
                    foreach (var (key, value) in entries.Where(entry => entry.Item1 is not null))
                    {
                        map[key!] = value;
                    }

                    return map;
                })
        );

    private static Gen<AmqpArray> Array(int levels) =>
        Gen.OneOf(
            ArrayOf(Gen.Elements(true, false)),
            ArrayOf(Bits.Select(bits => (byte)bits)),
            ArrayOf(Bits.Select(bits => (sbyte)bits)),
            ArrayOf(Bits.Select(bits => (ushort)bits)),
            ArrayOf(Bits.Select(bits => (short)bits)),
            ArrayOf(Bits.Select(bits => (uint)bits)),
            ArrayOf(Bits.Select(bits => (int)bits)),
            ArrayOf(Bits),
            ArrayOf(Bits.Select(bits => (long)bits)),
            ArrayOf(Bits.Select(bits => (double)bits)),
            ArrayOf(Bits.Select(bits => (float)bits)),
            ArrayOf(Bits.Select(bits => new AmqpChar((uint)bits))),
            ArrayOf(Timestamp),
            ArrayOf(Uuid),
            ArrayOf(Binary),
            ArrayOf(Text),
            ArrayOf(Symbol),
            Descriptor.SelectMany(descriptor => Text.ArrayOf().Select(texts => AmqpArray.OfDescribed(descriptor, texts))),
            ArrayOf(MapOf(Text.Select(Box), Scalar)),
            ArrayOf(Scalar.ListOf(3).Select(items => new AmqpList(items))),
            levels > 1 ? ArrayOf(Array(levels - 1)) : ArrayOf(Bits)
        );

    private static Gen<AmqpArray> ArrayOf<T>(Gen<T> items)
        where T : notnull => Gen.Choose(0, 6).SelectMany(items.ArrayOf).Select(AmqpArray.Of<T>);

    private static Gen<(T, T)> Two<T>(Gen<T> generator) => Two(generator, generator);

    private static Gen<(TFirst, TSecond)> Two<TFirst, TSecond>(Gen<TFirst> first, Gen<TSecond> second) =>
        first.SelectMany(one => second.Select(two => (one, two)));

    private static object? Box<T>(T value) => value;
}
