using System.Globalization;
using System.Numerics;

namespace EventHubThroughput.Emulator.Rules;

/// <summary>Calculates with two values as C# does. What C# would refuse, or could not hold, is unknown.</summary>
internal static class SqlArithmetic
{
    /// <summary>A text that would become longer is unknown: a short expression can join a long property to itself many times.</summary>
    public const int LongestText = 65_536;

    public static object? Calculate(string sign, object? left, object? right)
    {
        try
        {
            return (left, right) switch
            {
                (null, _) or (_, null) => null,
                (string, _) or (_, string) => sign == "+" ? Join(SqlValues.TextOf(left), SqlValues.TextOf(right)) : null,
                (long first, long second) => OfNumbers(sign, first, second),
                (long or decimal, long or decimal) => OfNumbers(
                    sign,
                    Convert.ToDecimal(left, CultureInfo.InvariantCulture),
                    Convert.ToDecimal(right, CultureInfo.InvariantCulture)
                ),
                (long or decimal or double, long or decimal or double) => OfNumbers(
                    sign,
                    Convert.ToDouble(left, CultureInfo.InvariantCulture),
                    Convert.ToDouble(right, CultureInfo.InvariantCulture)
                ),
                (DateTimeOffset first, DateTimeOffset second) when sign == "-" => first - second,
                (DateTimeOffset time, TimeSpan span) when sign is "+" or "-" => sign == "+" ? time + span : time - span,
                (TimeSpan first, TimeSpan second) when sign is "+" or "-" => sign == "+" ? first + second : first - second,
                _ => null,
            };
        }
        catch (Exception exception) when (exception is ArithmeticException or ArgumentOutOfRangeException)
        {
            // Divided by zero, or beyond what the type holds.
            return null;
        }
    }

    public static object? Negate(object? value) =>
        value switch
        {
            long.MinValue => null,
            long number => -number,
            decimal number => -number,
            double number => -number,
            _ => null,
        };

    private static string? Join(string? left, string? right) => left?.Length + right?.Length <= LongestText ? left + right : null;

    private static T OfNumbers<T>(string sign, T left, T right)
        where T : INumber<T> =>
        checked(
            sign switch
            {
                "+" => left + right,
                "-" => left - right,
                "*" => left * right,
                "/" => left / right,
                _ => left % right,
            }
        );
}
