using EventHubThroughput.Safety.Cells;
using EventHubThroughput.Safety.Scripts;

namespace EventHubThroughput.Safety.Rows;

/// <summary>How the consumer itself is ended or held: kills, signals, pauses (F1 to F5).</summary>
internal static class EndRows
{
    private const string NoAnswer = "name=F3";

    public static IReadOnlyList<FaultRow> All { get; } =
    [
        new("F1", "SIGKILL at a random moment, same identifier")
        {
            Script = Ends.KilledThenRestarted("one"),
            Seconds = 4,
            Expected = Expected.Clean,
            Sampled = true,
        },
        new("F1-other", "SIGKILL at a random moment, new identifier")
        {
            Script = Ends.KilledThenRestarted("two"),
            Seconds = 4,
            Expected = Expected.Clean,
        },
        new("F1-30", "SIGKILL 30 times on one backlog, same identifier")
        {
            Events = 3_000,
            Script = Ends.KilledAgainAndAgain(30),
            Seconds = 30,
            Expected = Expected.Clean,

            // Thirty starts of a consumer.
            Limit = TimeSpan.FromMinutes(15),
        },
        new("F2", "SIGTERM at a random moment")
        {
            Script = Ends.DrainedThenRestartedAsync,
            Seconds = 4,
            Expected = Expected.Clean,
            Also = Checks.NoDuplicates,
            Sampled = true,
        },
        new("F3", "SIGTERM while Service Bus never answers")
        {
            Faults = [NoAnswer],
            Options = "--drain-limit 2s",
            Script = Ends.StoppedWhileStuckAsync,
            Expected = new Expected(8, @"drain limit 2 s exceeded: \d+ in flight, partition \d+ (at \d+|before its first event)"),
        },
        new("F4", "SIGINT twice")
        {
            Faults = [NoAnswer],
            Options = "--drain-limit 60s",
            Script = Ends.InterruptedTwiceAsync,
            Expected = new Expected(130),
        },
    ];
}
