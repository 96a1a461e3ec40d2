using System.Text.RegularExpressions;

namespace EventHubThroughput.Emulator;

/// <summary>Names of hubs, queues and consumer groups, as Azure allows them.</summary>
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

    /// <summary>The default group is the one name with a dollar sign.</summary>
    public static bool IsGroup(string name) => name == "$Default" || Allowed().IsMatch(name);

    public static string? ListProblem(string option, IReadOnlyList<string> names, Func<string, bool> isAllowed, string problem)
    {
        if (names.FirstOrDefault(name => !isAllowed(name)) is { } wrong)
        {
            return $"{option} '{wrong}': {problem}";
        }

        return names.GroupBy(static name => name, StringComparer.OrdinalIgnoreCase).FirstOrDefault(static group => group.Count() > 1) is { } twice
            ? $"{option} '{twice.Key}': named twice"
            : null;
    }

    [GeneratedRegex("^[A-Za-z0-9]([A-Za-z0-9._-]{0,254}[A-Za-z0-9])?$", RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Allowed();
}
