using System.Globalization;
using System.Xml;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>Values as they stand in XML.</summary>
internal static class AtomText
{
    /// <summary>What clients send, and expect, where there is no limit.</summary>
    private static readonly TimeSpan Unlimited = TimeSpan.MaxValue;

    private const int LongestShown = 100;

    /// <summary>What a client wrote, as much of it as a message should repeat.</summary>
    public static string Shown(string text) => text.Length <= LongestShown ? text : text[..LongestShown] + "...";

    public static string Of(bool value) => value ? "true" : "false";

    public static string Of(long value) => value.ToString(CultureInfo.InvariantCulture);

    public static string Of(TimeSpan? duration) => XmlConvert.ToString(duration ?? Unlimited);

    public static string Of(DateTimeOffset time) => time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'", CultureInfo.InvariantCulture);

    /// <summary>Text that came by another way than XML, or was cut, may hold what XML cannot: other letters, or half of one.</summary>
    public static string Of(string text) =>
        string.Concat(text.EnumerateRunes().Select(static rune => rune.IsBmp && !XmlConvert.IsXmlChar((char)rune.Value) ? "?" : rune.ToString()));

    /// <summary>Reads a duration. The longest one, also when rounded beyond what can be counted, is no limit.</summary>
    /// <returns>False when it is no duration.</returns>
    public static bool TryRead(string text, out TimeSpan? duration)
    {
        try
        {
            var read = XmlConvert.ToTimeSpan(text);
            duration = Unlimited - read < TimeSpan.FromSeconds(1) ? null : read;
            return true;
        }
        catch (OverflowException)
        {
            duration = null;
            return !text.StartsWith('-');
        }
        catch (FormatException)
        {
            duration = null;
            return false;
        }
    }
}
