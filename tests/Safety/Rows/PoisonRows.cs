using EventHubThroughput.Safety.Cells;
using EventHubThroughput.Safety.Scripts;

namespace EventHubThroughput.Safety.Rows;

/// <summary>Writes that fail for good, under each of the three policies (F15, F23, F24).</summary>
internal static class PoisonRows
{
    private const string Named = @"event \d+ of partition 0";

    public static IReadOnlyList<FaultRow> All { get; } =
    [
        .. Events("F23", "the sink refuses event k", Poison.One, 1, sampled: true),
        .. Events("F23-pair", "the sink refuses events k and k + 2", Poison.Pair, 2, sampled: false),
        .. Events("F23-last", "the sink refuses the last event", Poison.Last, 1, sampled: false),
        new("F23-redrive", "the sink refuses events k and k + 2, deadletter, a redrive in the middle of the run")
        {
            Options = "--on-poison deadletter --follow",
            Script = Poison.RedrivenMeanwhile(Poison.Pair),
            Seconds = 8,
            Expected = Expected.Clean,
            Also = Checks.DeadLetters(0),
            Sampled = true,
        },
        Stranger("F15-block", "block", new Expected(7, Named)) with
        {
            Script = Poison.BlockedByStrangersBlobAsync,
        },
        Stranger("F15-stop", "stop", new Expected(7, Named)),
        Stranger("F15-deadletter", "deadletter", Expected.Clean) with
        {
            Also = Checks.DeadLetters(1),
        },
        new("F24", "one message gets no answer, its repetition does")
        {
            Faults = ["name=F24"],
            Expected = Expected.Clean,
            Limit = TimeSpan.FromMinutes(8),
        },
        Silent("F24-stop", "stop", new Expected(7, Named)),
        Silent("F24-deadletter", "deadletter", Expected.Clean) with
        {
            Also = Checks.DeadLetters(1),
        },
    ];

    private static IEnumerable<FaultRow> Events(string id, string injected, Func<long, long[]> which, int count, bool sampled) =>
        [
            new($"{id}-block", $"{injected}, block")
            {
                Options = "--on-poison block",
                Script = Poison.Blocking(which),
                Expected = new Expected(7, Named),
                Sampled = sampled,
            },
            new($"{id}-deadletter", $"{injected}, deadletter")
            {
                Options = "--on-poison deadletter",
                Script = Poison.Met(which),
                Expected = Expected.Clean,
                Also = Checks.DeadLetters(count),
                Sampled = sampled,
            },
            new($"{id}-stop", $"{injected}, stop")
            {
                Options = "--on-poison stop",
                Script = Poison.Met(which),
                Expected = new Expected(7, Named),
                Sampled = sampled,
            },
        ];

    private static FaultRow Stranger(string id, string policy, Expected expected) =>
        new(id, $"other bytes under an event's name, {policy}")
        {
            Emulator = "--data {folder}/data",
            Prepare = Poison.LayStrangersBlobAsync,
            Options = $"--on-poison {policy}",
            Heal = Poison.RemoveStrangersBlobAsync,
            Expected = expected,
        };

    private static FaultRow Silent(string id, string policy, Expected expected) =>
        new(id, $"one message never gets an answer, {policy}")
        {
            Faults = ["name=silent&at=messageSend&do=blackHole&detail=hub-0-40"],
            Options = $"--on-poison {policy}",
            Expected = expected,
            Limit = TimeSpan.FromMinutes(8),
        };
}
