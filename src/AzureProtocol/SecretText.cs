using System.Text.RegularExpressions;

namespace EventHubThroughput.AzureProtocol;

/// <summary>Finds the secrets of Azure's formats (keys, signatures, tokens) in any text, so that none is printed, logged or stored.</summary>
public static partial class SecretText
{
    /// <summary>The text with the value of every part that looks like a secret replaced by <c>***</c>.</summary>
    public static string Mask(string text) => Secret().Replace(text, match => match.Groups["name"].Value + "***");

    // Key values run to the next separator. A base64 key may hold '=' itself.
    [GeneratedRegex(
        @"(?<name>SharedAccessKey=|AccountKey=|SharedAccessSignature[= ]|sig=|Bearer )[^;&\s""']+",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 1000
    )]
    private static partial Regex Secret();
}
