namespace EventHubThroughput.Clients;

/// <summary>
/// Containers that must not be one: an archived event has the name and the bytes of its dead letter, so that each would be taken for the
/// other, and nothing that is listed there would be what it is listed for.
/// </summary>
public static class ContainerNames
{
    /// <summary>A problem for each two that are the same, in terms of what named them.</summary>
    /// <param name="named">The option or variable that gives a container, and the container.</param>
    public static IEnumerable<string> Problems(IReadOnlyList<(string Name, string Container)> named) =>
        from first in Enumerable.Range(0, named.Count)
        from second in Enumerable.Range(first + 1, named.Count - first - 1)
        where named[first].Container == named[second].Container
        select $"{named[first].Name} and {named[second].Name}: both '{named[first].Container}', must be different containers";
}
