using System.Runtime.InteropServices;
using EventHubThroughput.Verification.Facts;

namespace EventHubThroughput.Verification.Judging;

/// <summary>Groups sorted facts by event.</summary>
internal sealed class FactGroups(IEnumerable<Fact> sorted) : IDisposable
{
    private readonly IEnumerator<Fact> facts = sorted.GetEnumerator();
    private readonly List<Fact> group = [];
    private Fact? ahead;

    public void Dispose() => facts.Dispose();

    /// <summary>The facts of the present event.</summary>
    public ReadOnlySpan<Fact> Current => CollectionsMarshal.AsSpan(group);

    public bool MoveNext()
    {
        group.Clear();
        if (ahead is { } first)
        {
            group.Add(first);
            ahead = null;
        }

        while (facts.MoveNext())
        {
            if (group.Count > 0 && facts.Current.Order != group[0].Order)
            {
                ahead = facts.Current;
                return true;
            }

            group.Add(facts.Current);
        }

        return group.Count > 0;
    }
}
