namespace EventHubThroughput.Clients;

/// <summary>
/// Checks that certain containers are different. An archived event has the name and the bytes of its dead letter. In one container each could count as the
/// other, and a list would be wrong for both purposes.
/// </summary>
public static class ContainerNames
{
    /// <summary>The rule for container names, for messages.</summary>
    internal const string Allowed = "not a container name, allowed are 3 to 63 lower-case letters, digits and single hyphens";

    /// <summary>Whether Azure Blob Storage allows a container of this name.</summary>
    internal static bool IsAllowed(string name) =>
        name.Length is >= 3 and <= 63
        && name.All(static letter => letter is (>= 'a' and <= 'z') or (>= '0' and <= '9') or '-')
        && name[0] != '-'
        && name[^1] != '-'
        && !name.Contains("--", StringComparison.Ordinal);

    /// <summary>A problem for each two equal containers, with the names of their options or variables.</summary>
    /// <param name="named">The option or variable that names a container, and the container.</param>
    public static IEnumerable<string> Problems(IReadOnlyList<(string Name, string Container)> named) =>
        from first in Enumerable.Range(0, named.Count)
        from second in Enumerable.Range(first + 1, named.Count - first - 1)
        where named[first].Container == named[second].Container
        select $"{named[first].Name} and {named[second].Name}: both '{named[first].Container}', must be different containers";
}
