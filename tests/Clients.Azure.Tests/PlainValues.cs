using System.Globalization;
using System.Security.Cryptography;
using EventHubThroughput.Events;
using FsCheck;
using FsCheck.Fluent;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>Draws values of every type that application properties have in the packages, and writes them so that type and value are compared.</summary>
internal static class PlainValues
{
    private const int LongestText = 40;

    // The packages read a timestamp before 1970 as 1970, and write one after 2426 a millisecond too early: see OfficialPropertiesTests.
    private static readonly DateTime LatestTime = new(2400, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    private static readonly string[] Letters = ["a", "Z", "0", " ", "/", "\"", "é", "ß", "Ж", "中", "\u0001", "\u200d", "😀", "𝄞"];

    private static readonly Gen<byte[]> Bits = Gen.Choose(0, 255).Select(static one => (byte)one).ArrayOf(16);

    /// <summary>Any value, each type as often as the others.</summary>
    public static Gen<object?> Any { get; } =
        Gen.OneOf(
            Gen.Constant<object?>(null),
            Gen.Elements<object?>(false, true),
            Drawn(static bits => bits[0], byte.MinValue, byte.MaxValue),
            Drawn(static bits => (sbyte)bits[0], sbyte.MinValue, sbyte.MaxValue),
            Drawn(static bits => BitConverter.ToInt16(bits), short.MinValue, short.MaxValue),
            Drawn(static bits => BitConverter.ToUInt16(bits), ushort.MinValue, ushort.MaxValue),
            Drawn(static bits => BitConverter.ToInt32(bits), int.MinValue, -129, -128, -1, 0, 127, 128, int.MaxValue),
            Drawn(static bits => BitConverter.ToUInt32(bits), 0u, 255u, 256u, uint.MaxValue),
            Drawn(static bits => BitConverter.ToInt64(bits), long.MinValue, -129L, -128L, -1L, 0L, 127L, 128L, long.MaxValue),
            Drawn(static bits => BitConverter.ToUInt64(bits), 0ul, 255ul, 256ul, ulong.MaxValue),
            Drawn(static bits => BitConverter.ToSingle(bits), -0f, float.NaN, float.Epsilon, float.MaxValue, float.NegativeInfinity),
            Drawn(static bits => BitConverter.ToDouble(bits), -0d, double.NaN, double.Epsilon, double.MaxValue, double.PositiveInfinity),
            Drawn(GetDecimal, 0m, 1.0m, -1.50m, decimal.MaxValue, decimal.MinValue, 0.0000000000000000000000000001m),
            Drawn(static bits => (char)(BitConverter.ToUInt16(bits) % 0xd800), '\0', 'x', '\u00e9', '\uffff'),
            Drawn(static bits => new Guid(bits), Guid.Empty),
            Drawn(
                static bits =>
                    DateTime.UnixEpoch.AddMilliseconds(Math.Abs(BitConverter.ToInt64(bits) % (long)(LatestTime - DateTime.UnixEpoch).TotalMilliseconds)),
                DateTime.UnixEpoch,
                LatestTime
            ),
            Drawn(
                static bits => DateTimeOffset.UnixEpoch.AddTicks(BelowRounding(Math.Abs(BitConverter.ToInt64(bits) % (LatestTime - DateTime.UnixEpoch).Ticks))),
                DateTimeOffset.UnixEpoch
            ),
            Drawn(static bits => new TimeSpan(BitConverter.ToInt64(bits)), TimeSpan.Zero, TimeSpan.MinValue, TimeSpan.MaxValue),
            Gen.Elements<object?>(new Uri("http://example.org/a?b=c%20d"), new Uri("urn:x:é"), new Uri("/relative/path", UriKind.Relative)),
            Text(0, LongestText).Select(static text => (object?)text),
            Gen.Choose(0, 300)
                .SelectMany(static length => Gen.Choose(0, 255).Select(static one => (byte)one).ArrayOf(length))
                .Select(static bytes => (object?)bytes)
        );

    /// <summary>Up to five properties with different names.</summary>
    public static Gen<IReadOnlyDictionary<string, object?>> Properties { get; } =
        from count in Gen.Choose(0, 5)
        from names in Text(1, 12).ArrayOf(count)
        from values in Any.ArrayOf(count)
        select (IReadOnlyDictionary<string, object?>)
            names.Zip(values).DistinctBy(static one => one.First).ToDictionary(static one => one.First, static one => one.Second);

    /// <summary>Well-formed text with this number of UTF-16 code units.</summary>
    public static Gen<string> Text(int least, int most) =>
        from length in Gen.Frequency((1, Gen.Constant(least)), (1, Gen.Constant(most)), (4, Gen.Choose(least, most)))
        from letters in Gen.Elements(Letters).ArrayOf(length)
        select Cut(string.Concat(letters), length);

    /// <summary>Type and value of all properties, in the order of their names.</summary>
    public static string Describe(IEnumerable<KeyValuePair<string, object?>> properties) =>
        string.Join(
            ", ",
            properties
                .OrderBy(static one => one.Key, StringComparer.Ordinal)
                .Select(static one => $"'{one.Key}' {one.Value?.GetType().Name}: {Describe(one.Value)}")
        );

    /// <summary>What a body is, how long, and which bytes.</summary>
    public static string Describe(EventBodyKind kind, ReadOnlyMemory<byte> body) =>
        $"{kind} of {body.Length} bytes {Convert.ToHexString(SHA256.HashData(body.Span))[..16]}";

    private static Gen<object?> Drawn<T>(Func<byte[], T> draw, params T[] edges) =>
        Gen.Frequency((3, Bits.Select(bits => (object?)draw(bits))), (1, Gen.Elements(edges).Select(static one => (object?)one)));

    private static decimal GetDecimal(byte[] bits) =>
        new(BitConverter.ToInt32(bits), BitConverter.ToInt32(bits, 4), BitConverter.ToInt32(bits, 8), bits[12] % 2 == 1, (byte)(bits[13] % 29));

    private static string Describe(object? value) =>
        value switch
        {
            float number => float.IsNaN(number) ? "NaN" : BitConverter.SingleToInt32Bits(number).ToString("x8", CultureInfo.InvariantCulture),
            double number => double.IsNaN(number) ? "NaN" : BitConverter.DoubleToInt64Bits(number).ToString("x16", CultureInfo.InvariantCulture),
            decimal number => string.Join(',', decimal.GetBits(number)),
            DateTime time => $"{time.Ticks} {time.Kind}",
            DateTimeOffset time => $"{time.UtcTicks}",
            char letter => $"{(int)letter:x4}",
            byte[] bytes => Convert.ToHexString(bytes),
            // The packages write an address in its canonical form: another text, the same Uri.
            Uri address => address.IsAbsoluteUri ? address.AbsoluteUri : address.OriginalString,
            _ => Convert.ToString(value, CultureInfo.InvariantCulture) ?? "",
        };

    // Never in the middle of a surrogate pair.
    private static string Cut(string text, int length) =>
        text.Length <= length ? text
        : char.IsHighSurrogate(text[length - 1]) ? text[..(length - 1)] + "a"
        : text[..length];

    // The package computes milliseconds as a double, which rounds the last ticks of a millisecond up.
    private static long BelowRounding(long ticks) => ticks - Math.Max(0, (ticks % TimeSpan.TicksPerMillisecond) - (TimeSpan.TicksPerMillisecond - 100));
}
