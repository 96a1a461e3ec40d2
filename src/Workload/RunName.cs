using System.Text.RegularExpressions;

namespace EventHubThroughput.Workload;

/// <summary>The allowed names of runs. They become part of the names of hubs, queues and containers.</summary>
public static partial class RunName
{
    /// <summary>The problem of a name, as text for an option's error. Null if the name is allowed.</summary>
    public static string? GetProblem(string name) =>
        Allowed().IsMatch(name) ? null : "allowed are 1 to 40 lower-case letters, digits and single hyphens between them";

    [GeneratedRegex(@"\A(?=.{1,40}\z)[a-z0-9]+(-[a-z0-9]+)*\z", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Allowed();
}
