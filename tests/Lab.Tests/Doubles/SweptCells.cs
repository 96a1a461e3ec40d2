using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Comparing.MessageSweeping;
using EventHubThroughput.Lab.Reporting;

namespace EventHubThroughput.Lab.Tests.Doubles;

/// <summary>Cells and results of processor sweeps that never ran.</summary>
internal static class SweptCells
{
    public static MessageCell Of(int concurrency, double? rate, int threads = 0, int cores = 2, int memory = 2, params string[] bounds) =>
        new()
        {
            Point = new MessagePoint(concurrency, threads, cores, memory, 0),
            Bounds = bounds,
            Failure = rate is null ? "killed-memory: above 2 GiB" : null,
            MessagesPerS = rate,
            ModelPerS = concurrency / 0.066,
            CpuMeanPercent = rate is null ? null : 12.5,
            LocksLost = rate is null ? null : 0,
        };

    public static MessageSweepResult Result(IReadOnlyList<string> arguments, params IReadOnlyList<MessageCell> cells) =>
        new()
        {
            Sweep = new MessageSweepHeader
            {
                Schema = 1,
                Scenario = MessageSweepHeader.Name,
                StartedUtc = new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero),
                Arguments = arguments,
                LimitMethod = LimitedProcess.Method,
                Profile = "processor",
                MeasureS = 60,
                WarmUpS = 30,
                Complete = false,
            },
            Program = ResultDocument.DescribeProgram("1.0.0+abc", ClientFamily.BuiltIn),
            Machine = ResultDocument.Machine(),
            Sentences = MessageSweepSentences.Of(cells),
            Cells = cells,
        };
}
