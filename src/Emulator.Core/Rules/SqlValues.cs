using System.Globalization;
using System.Text;
using EventHubThroughput.Amqp.Codec;

namespace EventHubThroughput.Emulator.Rules;

/// <summary>
/// The types of values of an expression: bool, long, decimal, double, string, Guid, DateTimeOffset and TimeSpan. Every AMQP type is converted to one of them.
/// </summary>
internal static class SqlValues
{
    /// <summary>The descriptor that .NET's clients use for a duration in ticks, because AMQP has no type for it.</summary>
    public const string DurationName = "com.microsoft:timespan";

    public static readonly AmqpSymbol Duration = new(DurationName);

    // The other descriptors of this kind.
    private const string TicksOfTime = "com.microsoft:datetime-offset";
    private const string Address = "com.microsoft:uri";

    /// <summary>Converts a received value. Null for an unsupported type.</summary>
    public static object? Of(object? wire) =>
        wire switch
        {
            bool or long or double or string or Guid or DateTimeOffset or TimeSpan => wire,
            byte or sbyte or ushort or short or uint or int => Convert.ToInt64(wire, CultureInfo.InvariantCulture),
            ulong number => number <= long.MaxValue ? (long)number : (decimal)number,
            float number => (double)number,
            AmqpDecimal number => number.ToDecimal(),
            AmqpSymbol symbol => symbol.Value,
            AmqpChar letter => Rune.TryCreate(letter.CodePoint, out var rune) ? rune.ToString() : null,
            AmqpTimestamp time => time.ToDateTimeOffset(),
            AmqpDescribed { Descriptor: AmqpSymbol { Value: DurationName }, Value: long ticks } => new TimeSpan(ticks),
            AmqpDescribed { Descriptor: AmqpSymbol { Value: TicksOfTime }, Value: long ticks and >= 0 } when ticks <= DateTimeOffset.MaxValue.Ticks =>
                new DateTimeOffset(ticks, TimeSpan.Zero),
            AmqpDescribed { Descriptor: AmqpSymbol { Value: Address }, Value: string address } => address,
            _ => null,
        };

    public static string? GetText(object? value) => Convert.ToString(value, CultureInfo.InvariantCulture);
}
