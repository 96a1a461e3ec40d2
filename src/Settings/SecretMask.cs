using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Settings;

/// <summary>Removes secrets from all printed text, also if they were given in the wrong place.</summary>
public static class SecretMask
{
    /// <summary>The text with the value of every part that looks like a secret replaced.</summary>
    public static string Apply(string text) => SecretText.Mask(text);

    /// <summary>A value in a message: quoted, shortened, on one line, secrets masked.</summary>
    /// <param name="value">The value.</param>
    /// <param name="longest">The most characters that are shown.</param>
    public static string Quote(string value, int longest = 60)
    {
        var masked = Apply(value).ReplaceLineEndings(" ");
        return masked.Length > longest ? $"'{masked[..longest]}...'" : $"'{masked}'";
    }
}
