namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>What was published for such a processor: another language, another machine and the real service, so for orientation only.</summary>
/// <param name="Concurrency">Messages at one time.</param>
/// <param name="Cores">Processors.</param>
/// <param name="MemoryGib">Memory.</param>
/// <param name="MessagesPerS">Messages a second.</param>
/// <param name="CpuPercent">Processor time a core. Null where it was not published.</param>
/// <param name="MemoryMb">Largest memory. Null where it was not published.</param>
/// <param name="FixedThreads">Threads of a pool below the concurrency. Null where there were enough.</param>
internal sealed record PublishedFigures(int Concurrency, int Cores, int MemoryGib, int MessagesPerS, int? CpuPercent, int? MemoryMb, int? FixedThreads = null)
{
    public static IReadOnlyList<PublishedFigures> All { get; } =
    [
        new(8, 2, 2, 120, 12, 450),
        new(96, 2, 2, 1_350, 55, 900),
        new(128, 2, 2, 1_650, 57, 900),
        new(256, 2, 2, 2_400, 87, 1_200),
        new(128, 1, 2, 1_350, 90, null),
        new(256, 2, 6, 2_700, null, null),
        new(96, 2, 2, 250, null, null, FixedThreads: 20),
    ];

    /// <summary>Those of a point. Null where nothing was published.</summary>
    public static PublishedFigures? Of(MessagePoint point) =>
        All.FirstOrDefault(known =>
            known.Concurrency == point.Concurrency
            && known.Cores == point.Cores
            && known.MemoryGib == point.MemoryGib
            && known.FixedThreads == (point.IsFixed && point.Threads < point.Concurrency ? point.Threads : null)
        );
}
