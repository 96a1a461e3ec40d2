using System.Globalization;
using System.Text;

namespace EventHubThroughput.Events;

/// <summary>
/// The names of an event at the sinks. They depend only on hub, partition and sequence number, so that a repeated write uses the same name.
/// </summary>
/// <remarks>
/// ASCII letters, digits, '-', '.' and '_' of a hub or partition name stay as they are, except a dot at the beginning or end. Every other character becomes
/// the bytes of its UTF-8 form, each written <c>~XX</c> in upper-case hexadecimal.
/// </remarks>
internal static class SinkNames
{
    /// <summary>The longest message identifier that Service Bus accepts, in characters.</summary>
    public const int LongestMessageId = 128;

    /// <summary>The longest blob name that Azure accepts, in characters.</summary>
    public const int LongestBlobName = 1024;

    /// <summary>The message identifier at Service Bus: <c>{hub}-{partition}-{sequence}</c>.</summary>
    /// <exception cref="ArgumentException">The name would be longer than <see cref="LongestMessageId"/>.</exception>
    public static string MessageId(string hub, string partition, long sequence) =>
        Checked(string.Create(CultureInfo.InvariantCulture, $"{Escape(hub)}-{Escape(partition)}-{sequence}"), LongestMessageId, nameof(hub));

    /// <summary>The blob's name in the archive: <c>{hub}/{partition}/{sequence:D20}</c>.</summary>
    /// <exception cref="ArgumentException">The name would be longer than <see cref="LongestBlobName"/>.</exception>
    public static string BlobName(string hub, string partition, long sequence) =>
        Checked(string.Create(CultureInfo.InvariantCulture, $"{Escape(hub)}/{Escape(partition)}/{sequence:D20}"), LongestBlobName, nameof(hub));

    /// <summary>A hub or partition name in escaped form. Names of plain characters do not change.</summary>
    public static string Escape(string name)
    {
        if (IsPlain(name))
        {
            return name;
        }

        var escaped = new StringBuilder(name.Length * 2);
        var bytes = Encoding.UTF8.GetBytes(name);
        for (var i = 0; i < bytes.Length; i++)
        {
            var plain = bytes[i] < 0x80 && IsPlain((char)bytes[i], i == 0 || i == bytes.Length - 1);
            _ = plain ? escaped.Append((char)bytes[i]) : escaped.Append('~').Append(bytes[i].ToString("X2", CultureInfo.InvariantCulture));
        }

        return escaped.ToString();
    }

    /// <summary>The name that was escaped.</summary>
    /// <exception cref="FormatException">The text is not a result of <see cref="Escape"/>.</exception>
    public static string Unescape(string escaped)
    {
        if (!escaped.Contains('~', StringComparison.Ordinal))
        {
            return escaped;
        }

        var bytes = new List<byte>(escaped.Length);
        for (var i = 0; i < escaped.Length; i++)
        {
            if (escaped[i] != '~')
            {
                bytes.Add((byte)escaped[i]);
                continue;
            }

            if (
                i + 2 >= escaped.Length
                || !byte.TryParse(escaped.AsSpan(i + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var value)
            )
            {
                throw new FormatException("An escape is not '~' and two hexadecimal digits.");
            }

            bytes.Add(value);
            i += 2;
        }

        return Encoding.UTF8.GetString([.. bytes]);
    }

    private static bool IsPlain(string name)
    {
        for (var i = 0; i < name.Length; i++)
        {
            if (!IsPlain(name[i], i == 0 || i == name.Length - 1))
            {
                return false;
            }
        }

        return true;
    }

    // A dot at an edge could make a path of dots, and some tools remove a trailing one.
    private static bool IsPlain(char c, bool atEdge) => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' || (c == '.' && !atEdge);

    private static string Checked(string name, int longest, string parameter) =>
        name.Length <= longest ? name : throw new ArgumentException($"A name of {name.Length} characters exceeds the limit of {longest}.", parameter);
}
