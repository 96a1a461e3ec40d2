using System.Text.RegularExpressions;

namespace EventHubThroughput.CommandLine;

/// <summary>Keeps secrets out of whatever is printed, also when they were given in the wrong place.</summary>
public static partial class SecretMask
{
    /// <summary>The text with the value of every part that looks like a secret replaced.</summary>
    public static string Apply(string text) => Secret().Replace(text, match => match.Groups["name"].Value + "***");

    /// <summary>A value as it is shown in a message: quoted, shortened, on one line, secrets masked.</summary>
    public static string Quote(string value)
    {
        var masked = Apply(value).ReplaceLineEndings(" ");
        return masked.Length > 60 ? $"'{masked[..60]}...'" : $"'{masked}'";
    }

    // Key values run to the next separator; a base64 key may hold '=' itself.
    [GeneratedRegex(
        @"(?<name>SharedAccessKey=|AccountKey=|SharedAccessSignature[= ]|sig=|Bearer )[^;&\s""']+",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 1000
    )]
    private static partial Regex Secret();
}
