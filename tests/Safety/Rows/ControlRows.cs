using EventHubThroughput.Safety.Cells;

namespace EventHubThroughput.Safety.Rows;

/// <summary>Not of the matrix: the emulator itself spoils its data, and the judge must see it. A matrix that cannot fail proves nothing.</summary>
internal static class ControlRows
{
    public static IReadOnlyList<FaultRow> All { get; } =
    [
        Spoilt("X1", "the queue stores a wrong bit", "name=corrupt-message&limit=3"),
        Spoilt("X2", "the container stores a wrong bit", "name=corrupt-blob&limit=3"),
        new("X3", "the queue stores messages twice by itself") { Faults = ["name=twice"], Expected = Expected.Clean },
        new("X4", "events are delivered twice")
        {
            // No service does that within one ownership, so the run stops. Its work is valid, and the next one ends clean.
            Faults = ["name=redelivery"],
            Expected = new Expected(9, @"partition \d+ delivered event \d+ again"),
        },
    ];

    private static FaultRow Spoilt(string id, string injected, string fault) =>
        new(id, injected)
        {
            Faults = [fault],
            Expected = new Expected(3) { Verdict = Standing.Convicted },
            Sampled = true,
        };
}
