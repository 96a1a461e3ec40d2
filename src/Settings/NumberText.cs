using System.Globalization;

namespace EventHubThroughput.Settings;

/// <summary>Numbers in messages: refused numbers as they were written, and limits.</summary>
public static class NumberText
{
    /// <summary>The most characters of a number that are shown.</summary>
    public const int MostShown = 20;

    private const string Rest = "...";

    /// <summary>A number with at most six digits after the point.</summary>
    public static string Format(double value) => value.ToString("0.######", CultureInfo.InvariantCulture);

    /// <summary>A whole number.</summary>
    public static string Format(long value) => value.ToString(CultureInfo.InvariantCulture);

    /// <summary>The number, or its beginning.</summary>
    public static string Shown(string number) => number.Length > MostShown ? number[..(MostShown - Rest.Length)] + Rest : number;

    /// <summary>A value in the place of a number, quoted: shortened like a number if it begins like one, else like any text.</summary>
    public static string Quote(string value) =>
        value.Length > MostShown && (char.IsAsciiDigit(value[0]) || value[0] is '+' or '-' or '.') ? $"'{Shown(value)}'" : SecretMask.Quote(value);
}
