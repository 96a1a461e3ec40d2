using System.Globalization;
using System.Numerics;

namespace EventHubThroughput.Emulator.Rules;

/// <summary>Calculates with two values like C#. The result is unknown if C# would refuse it or overflow.</summary>
internal static class SqlArithmetic
{
    /// <summary>The result is unknown for a longer text. A short expression can join a long property to itself many times.</summary>
    public const int LongestText = 65_536;

    public static object? Calculate(string sign, object? left, object? right)
    {
        try
        {
            return (left, right) switch
            {
                (null, _) or (_, null) => null,
                (string, _) or (_, string) => sign == "+" ? Join(SqlValues.GetText(left), SqlValues.GetText(right)) : null,
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
            // A division by zero, or an overflow.
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
