using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Settings;

/// <summary>Keeps secrets out of whatever is printed, also when they were given in the wrong place.</summary>
public static class SecretMask
{
    /// <summary>The text with the value of every part that looks like a secret replaced.</summary>
    public static string Apply(string text) => SecretText.Mask(text);

    /// <summary>A value as it is shown in a message: quoted, shortened, on one line, secrets masked.</summary>
    /// <param name="value">The value.</param>
    /// <param name="longest">Characters that are shown.</param>
    public static string Quote(string value, int longest = 60)
    {
        var masked = Apply(value).ReplaceLineEndings(" ");
        return masked.Length > longest ? $"'{masked[..longest]}...'" : $"'{masked}'";
    }
}
