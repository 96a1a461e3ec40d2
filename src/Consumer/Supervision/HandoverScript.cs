namespace EventHubThroughput.Consumer.Supervision;

/// <summary>One change of a crew: who goes and how, when, and whether somebody new comes before or after that.</summary>
/// <param name="Member">The place of the consumer that goes, the oldest first.</param>
/// <param name="Dies">By SIGKILL; otherwise by SIGTERM, on which it drains and releases its partitions.</param>
/// <param name="After">Checkpoints of the crew to wait for before that.</param>
/// <param name="JoinFirst">Whether its successor joins before it goes, and takes partitions from the living.</param>
internal readonly record struct CrewChange(int Member, bool Dies, int After, bool JoinFirst);

/// <summary>Deals the changes of a crew: as many that die as that leave, as many successors before as after, all else drawn from the seed alone.</summary>
internal static class HandoverScript
{
    // Deep enough to fall into any phase of batches and balancing cycles.
    private const int MostCheckpoints = 40;

    public static IEnumerable<CrewChange> Of(int owners, int cycles, int seed)
    {
        var random = new Random(seed);
        for (var cycle = 0; cycle < cycles; cycle++)
        {
            var joinFirst = cycle / 2 % 2 == 1;
            yield return new CrewChange(random.Next(joinFirst ? owners + 1 : owners), Dies: cycle % 2 == 1, random.Next(1, MostCheckpoints + 1), joinFirst);
        }
    }
}
