using System.Globalization;
using EventHubThroughput.Lab.Results;

namespace EventHubThroughput.Lab.Reporting;

/// <summary>Numbers for readers: three or four significant figures, the dot as separator, a dash for an unknown number.</summary>
internal static class Figures
{
    /// <summary>The sign for a missing number.</summary>
    public const string None = "–";

    /// <summary>Events a second.</summary>
    public static string Rate(double? value) => Text(value, Math.Abs(value ?? 0) < 100 ? "0.0" : "N0");

    /// <summary>A ratio, as 4.20.</summary>
    public static string Ratio(double? value) => Text(value, Math.Abs(value ?? 0) < 100 ? "0.00" : "0.0");

    /// <summary>A share of 1, in percent.</summary>
    public static string Percent(double? value) => value is { } share ? $"{Text(100 * share, Math.Abs(share) < 0.1 ? "0.0" : "0")} %" : None;

    /// <summary>Milliseconds, without their unit.</summary>
    public static string Ms(double? value) =>
        Text(
            value,
            Math.Abs(value ?? 0) < 10 ? "0.00"
                : Math.Abs(value ?? 0) < 1000 ? "0.0"
                : "N0"
        );

    /// <summary>Whole numbers, microseconds among them.</summary>
    public static string Count(double? value) => Text(value, "N0");

    /// <summary>An amount of money, without its currency.</summary>
    public static string Price(double? value) => Text(value, "N2");

    /// <summary>A figure for a terminal, which may not show the dash of typography.</summary>
    public static string Ascii(string figure) => figure.Replace(None, "-", StringComparison.Ordinal);

    /// <summary>Bytes, in mebibytes without their unit.</summary>
    public static string Mebibytes(double? value) => Text(value / (1024 * 1024), "N0");

    /// <summary>A probability.</summary>
    public static string Probability(double? value) => value < 0.001 ? "< 0.001" : Text(value, "0.000");

    /// <summary>The ends of an interval.</summary>
    /// <param name="interval">The interval.</param>
    /// <param name="form">How each end is written.</param>
    public static string Range(Interval? interval, Func<double?, string> form) => interval is { } ends ? $"{form(ends.Low)} – {form(ends.High)}" : None;

    /// <summary>A number as in the JSON, to the last digit. Empty where it is missing.</summary>
    public static string Exact(double? value) => value?.ToString("R", CultureInfo.InvariantCulture) ?? "";

    private static string Text(double? value, string format) => value?.ToString(format, CultureInfo.InvariantCulture) ?? None;
}
