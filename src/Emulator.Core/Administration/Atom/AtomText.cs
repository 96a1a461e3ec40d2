using System.Globalization;
using System.Xml;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>Converts values to and from their text in XML.</summary>
internal static class AtomText
{
    /// <summary>The value that clients send and expect if there is no limit.</summary>
    private static readonly TimeSpan Unlimited = TimeSpan.MaxValue;

    private const int LongestShown = 100;

    /// <summary>The part of a client's text that a message repeats.</summary>
    public static string Shown(string text) => text.Length <= LongestShown ? text : text[..LongestShown] + "...";

    public static string Of(bool value) => value ? "true" : "false";

    public static string Of(long value) => value.ToString(CultureInfo.InvariantCulture);

    public static string Of(TimeSpan? duration) => XmlConvert.ToString(duration ?? Unlimited);

    public static string Of(DateTimeOffset time) => time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'", CultureInfo.InvariantCulture);

    /// <summary>
    /// Replaces characters that XML cannot contain, such as half a surrogate pair. They occur in text that came over another protocol or was cut.
    /// </summary>
    public static string Of(string text) =>
        string.Concat(text.EnumerateRunes().Select(static rune => rune.IsBmp && !XmlConvert.IsXmlChar((char)rune.Value) ? "?" : rune.ToString()));

    /// <summary>Reads a duration. The longest one means no limit, also when it is rounded beyond the range.</summary>
    /// <returns>False when the text is not a duration.</returns>
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
