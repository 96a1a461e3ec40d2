using System.Text.RegularExpressions;

namespace EventHubThroughput.Emulator;

/// <summary>Names of hubs, queues and consumer groups, as Azure allows them.</summary>
internal static partial class EmulatedName
{
    /// <summary>The group that every hub has; the one name with a dollar sign.</summary>
    public const string DefaultGroup = "$Default";

    /// <summary>What is wrong with a name, or null.</summary>
    public static string? Fault(string name)
    {
        if (name.EndsWith(".windows.net", StringComparison.OrdinalIgnoreCase))
        {
            return "the emulator never talks to Azure";
        }

        return Allowed().IsMatch(name)
            ? null
            : "not a name, allowed are up to 256 letters, digits, '.', '-', '_' with a letter or digit first and last";
    }

    public static string? Problem(string option, string name) => Fault(name) is { } fault ? $"{option} '{name}': {fault}" : null;

    public static bool IsGroup(string name) => name == DefaultGroup || Allowed().IsMatch(name);

    /// <summary>The groups of a hub whose creator named these.</summary>
    public static IReadOnlyList<string> WithDefaultGroup(IReadOnlyList<string> groups) =>
        groups.Contains(DefaultGroup, StringComparer.OrdinalIgnoreCase) ? groups : [.. groups, DefaultGroup];

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

    [GeneratedRegex("^[A-Za-z0-9]([A-Za-z0-9._-]{0,254}[A-Za-z0-9])?\\z", RegexOptions.ExplicitCapture | RegexOptions.CultureInvariant, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Allowed();
}
