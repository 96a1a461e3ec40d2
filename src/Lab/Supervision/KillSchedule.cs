using System.Numerics;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>
/// Deals the cycles of a supervision to its strategies and to the kinds of ends that there are, such as kill points. For any number of cycles, the strategies
/// differ by one cycle at most, and so do the kinds. No pair of both comes again before all have come.
/// </summary>
internal static class KillSchedule
{
    /// <summary>Returns, for each strategy, the kinds of its cycles in their order.</summary>
    /// <param name="strategies">How many strategies there are.</param>
    /// <param name="kinds">How many kinds there are. Fewer cycles than that are spread over the whole of their order.</param>
    /// <param name="cycles">How many cycles there are, over all strategies together.</param>
    public static IReadOnlyList<IReadOnlyList<int>> Deal(int strategies, int kinds, int cycles)
    {
        List<int>[] dealt = [.. Enumerable.Range(0, strategies).Select(_ => new List<int>())];

        // Both rotate together. After this number of cycles they would meet the same pairs again, unless one of them is moved on.
        var round = strategies / (int)BigInteger.GreatestCommonDivisor(strategies, kinds) * kinds;
        for (var cycle = 0; cycle < cycles; cycle++)
        {
            dealt[cycle % strategies].Add(cycles < kinds ? cycle * kinds / cycles : (cycle + (cycle / round)) % kinds);
        }

        return dealt;
    }
}
