using System.Globalization;

namespace EventHubThroughput.Emulator.Rules;

/// <summary>
/// Compares two values: numbers of any types, texts by their code units, times. For other types, and with an unknown value, the result is unknown.
/// </summary>
internal static class SqlComparison
{
    /// <summary>The comparison of a sign. Null when the sign is not a comparison.</summary>
    public static Func<object?, object?, bool?>? Of(string sign) =>
        sign switch
        {
            "=" => AreEqual,
            "<>" or "!=" => static (left, right) => !AreEqual(left, right),
            "<" => Ordered(static order => order < 0),
            "<=" => Ordered(static order => order <= 0),
            ">" => Ordered(static order => order > 0),
            ">=" => Ordered(static order => order >= 0),
            _ => null,
        };

    public static bool? AreEqual(object? left, object? right) =>
        (left, right) switch
        {
            (bool first, bool second) => first == second,
            (Guid first, Guid second) => first == second,
            _ => Order(left, right) is { } order ? order == 0 : null,
        };

    private static Func<object?, object?, bool?> Ordered(Func<int, bool> test) => (left, right) => Order(left, right) is { } order ? test(order) : null;

    // With the promotions of C#: decimals and whole numbers stay exact. With a double, both are compared as doubles.
    private static int? Order(object? left, object? right) =>
        (left, right) switch
        {
            (string first, string second) => string.CompareOrdinal(first, second),
            (long first, long second) => first.CompareTo(second),
            (DateTimeOffset first, DateTimeOffset second) => first.CompareTo(second),
            (TimeSpan first, TimeSpan second) => first.CompareTo(second),
            (long or decimal, long or decimal) => Convert
                .ToDecimal(left, CultureInfo.InvariantCulture)
                .CompareTo(Convert.ToDecimal(right, CultureInfo.InvariantCulture)),
            (double.NaN, _) or (_, double.NaN) => null,
            (long or decimal or double, long or decimal or double) => Convert
                .ToDouble(left, CultureInfo.InvariantCulture)
                .CompareTo(Convert.ToDouble(right, CultureInfo.InvariantCulture)),
            _ => null,
        };
}
