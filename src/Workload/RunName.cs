using System.Text.RegularExpressions;

namespace EventHubThroughput.Workload;

/// <summary>What a run may be called: it becomes part of the names of hubs, queues and containers.</summary>
public static partial class RunName
{
    /// <summary>What is wrong with a name, in the words of an option's problem. Null when it may be used.</summary>
    public static string? ProblemOf(string name) =>
        Allowed().IsMatch(name) ? null : "allowed are 1 to 40 lower-case letters, digits and single hyphens between them";

    [GeneratedRegex(@"\A(?=.{1,40}\z)[a-z0-9]+(-[a-z0-9]+)*\z", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Allowed();
}
