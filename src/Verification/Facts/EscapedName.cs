using System.Text;

namespace EventHubThroughput.Verification.Facts;

/// <summary>
/// Parses a hub or partition name in a sink's name: <c>~XX</c> represents one byte of its UTF-8 form. Characters that need no escape must not be escaped:
/// each name has one form, and any other counts as a second name.
/// </summary>
internal static class EscapedName
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    public static string? Read(string text)
    {
        var bytes = new List<byte>(text.Length);
        for (var i = 0; i < text.Length; i++)
        {
            var escaped = text[i] == '~';
            var value = escaped ? Byte(text, i + 1) : text[i];
            var atEdge = bytes.Count == 0 || i + (escaped ? 3 : 1) == text.Length;
            if (value < 0 || escaped == IsPlain((char)value, atEdge))
            {
                return null;
            }

            bytes.Add((byte)value);
            i += escaped ? 2 : 0;
        }

        try
        {
            return Strict.GetString([.. bytes]);
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }

    private static int Byte(string text, int at) =>
        at + 1 < text.Length && Digit(text[at]) is >= 0 and var high && Digit(text[at + 1]) is >= 0 and var low ? (high << 4) | low : -1;

    private static int Digit(char digit) =>
        digit switch
        {
            >= '0' and <= '9' => digit - '0',
            >= 'A' and <= 'F' => digit - 'A' + 10,
            _ => -1,
        };

    private static bool IsPlain(char c, bool atEdge) =>
        c is (>= 'a' and <= 'z') or (>= 'A' and <= 'Z') or (>= '0' and <= '9') or '-' or '_' || (c == '.' && !atEdge);
}
