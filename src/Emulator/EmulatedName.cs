using System.Text.RegularExpressions;

namespace EventHubThroughput.Emulator;

/// <summary>Names of hubs and queues, as Azure allows them.</summary>
internal static partial class EmulatedName
{
    public static string? Problem(string option, string name)
    {
        if (name.EndsWith(".windows.net", StringComparison.OrdinalIgnoreCase))
        {
            return $"{option} '{name}': the emulator never talks to Azure";
        }

        return Allowed().IsMatch(name)
            ? null
            : $"{option} '{name}': not a name, allowed are up to 256 letters, digits, '.', '-', '_' with a letter or digit first and last";
    }

    [GeneratedRegex("^[A-Za-z0-9]([A-Za-z0-9._-]{0,254}[A-Za-z0-9])?$", RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Allowed();
}
