using System.CommandLine;
using System.Globalization;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load.Paths;

/// <summary>
/// Counts the types and locks on the path of one event. It runs a counting copy of the consumer twice. The difference belongs to the additional events of
/// the longer run.
/// </summary>
internal static class PathCommand
{
    // Places with fewer passes per event do not belong to an event, a batch or a checkpoint. Examples are timers and the claim of the partition.
    private const double Least = 0.008;

    private const int Fewer = 4_000;
    private const int MoreEvents = 20_000;

    private static readonly TimeSpan RunLimit = TimeSpan.FromMinutes(5);

    // The verdict reads ledger and journal after the run.
    private static readonly string[] Afterwards = ["Journal", "Verification"];

    private static readonly Option<string> Family = Options.TextOr("--clients", "family of clients", "builtin", "NAME");
    private static readonly Option<string> Strategy = Options.TextOr("--strategy", "strategy", "pipelined", "NAME");

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Counts the types and locks on the path of one event.") { Family, Strategy };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                var folder = Directory.CreateTempSubdirectory("eht-path-").FullName;
                try
                {
                    var copy = Path.Combine(folder, "programs");
                    var places = CountingCopy.Make(AppContext.BaseDirectory, copy);
                    string[] arguments =
                    [
                        $"--clients={parsed.GetValue(Family)}",
                        $"--strategy={parsed.GetValue(Strategy)}",
                        "--profile=none",
                        "--checkpoint-events=50",
                        "--metrics-port=0",
                    ];
                    var fewer = await RunAsync(copy, Path.Combine(folder, "fewer"), Fewer, arguments, clock, cancellationToken);
                    var more = await RunAsync(copy, Path.Combine(folder, "more"), Fewer + MoreEvents, arguments, clock, cancellationToken);
                    var found = places
                        .Select((place, at) => (Place: place, Times: (more[at] - fewer[at]) / (double)MoreEvents))
                        .Where(static one => one.Times >= Least && !Afterwards.Contains(one.Place.Assembly))
                        .ToList();
                    await WriteAsync(found, console.Output);
                    return 0;
                }
                finally
                {
                    Directory.Delete(folder, recursive: true);
                }
            }
        );
        return root;
    }

    private static async Task<long[]> RunAsync(
        string programs,
        string counts,
        int events,
        IReadOnlyList<string> arguments,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        var variables = new Dictionary<string, string>(StringComparer.Ordinal) { [EntryCounters.FileVariable] = counts };
        await using var consumer = ChildProgram.StartFrom(programs, "consumer", ["run", .. arguments, $"--events={events}"], variables, clock);
        var (code, _, lastLines) = await consumer.EndAsync(RunLimit, cancellationToken);
        return code == 0
            ? [.. (await File.ReadAllLinesAsync($"{counts}.consumer", cancellationToken)).Select(static line => long.Parse(line, CultureInfo.InvariantCulture))]
            : throw new InvalidOperationException($"the consumer ended with {code}: {lastLines}");
    }

    private static async Task WriteAsync(IReadOnlyList<(CountedPlace Place, double Times)> found, TextWriter output)
    {
        await output.WriteLineAsync("| assembly | types with code | types with data only |\n|---|--:|---|");
        foreach (
            var assembly in found.Where(static one => one.Place.Kind != PlaceKind.Lock).GroupBy(static one => one.Place.Assembly).OrderBy(static one => one.Key)
        )
        {
            var code = assembly.Where(static one => one.Place.Kind == PlaceKind.Code).Select(static one => one.Place.Type).ToHashSet(StringComparer.Ordinal);
            var data = assembly.Select(static one => one.Place.Type).Except(code, StringComparer.Ordinal);
            await output.WriteLineAsync($"| {assembly.Key} | {code.Count}: {Names(code)} | {Names(data)} |");
        }

        await output.WriteLineAsync("\n| lock in | times an event |\n|---|--:|");
        var locks = found
            .Where(static one => one.Place.Kind == PlaceKind.Lock)
            .GroupBy(static one => $"{one.Place.Assembly}: {one.Place.Type}.{one.Place.Method}")
            .Select(static one => (Name: one.Key, Times: one.Sum(static two => two.Times)))
            .OrderByDescending(static one => one.Times)
            .ToList();
        foreach (var (name, times) in locks.Append(("all", locks.Sum(static one => one.Times))))
        {
            await output.WriteLineAsync(string.Create(CultureInfo.InvariantCulture, $"| {name} | {times:F2} |"));
        }
    }

    private static string Names(IEnumerable<string> types) =>
        string.Join(", ", types.Select(static type => type[(type.LastIndexOf('.') + 1)..]).Order(StringComparer.Ordinal));
}
