using System.CommandLine;
using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Harness;
using EventHubThroughput.Strategies;

namespace EventHubThroughput.Load;

/// <summary>Measures the cost of tracking, checks, timing and metrics in addition to the writes, and the cost of each strategy. The sinks do nothing.</summary>
internal static class HarnessCommand
{
    private static readonly Option<int> Rounds = Options.Integer("--rounds", "rounds of each row", 5, 1, 100);
    private const int Degree = 64;
    private static readonly Option<int> Events = Options.Integer("--events", "events of a round", 500_000, 1_000, 5_000_000);

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Measures what an event costs in the consumer beside its writes, in this process.") { Rounds, Events };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                var load = new HarnessLoad(clock, parsed.GetValue(Events));
                (string Name, Func<Task<HarnessCost>> RunAsync)[] rows =
                [
                    ("the strategy alone", () => load.StrategyAloneAsync(cancellationToken)),
                    ("with tracking and checks", () => load.PumpAsync(measured: false, cancellationToken)),
                    ("with tracking, checks, timing and metrics", () => load.PumpAsync(measured: true, cancellationToken)),
                ];
                var costs = rows.Select(static _ => new List<HarnessCost>()).ToArray();

                // The first round compiles. Every row runs in each of the others, so other load of the machine affects all rows alike.
                for (var round = -1; round < parsed.GetValue(Rounds); round++)
                {
                    for (var row = 0; row < rows.Length; row++)
                    {
                        var cost = await rows[row].RunAsync();
                        if (round >= 0)
                        {
                            costs[row].Add(cost);
                        }
                    }
                }

                await WriteAsync(rows.Select(static row => row.Name).Zip(costs), console);
                await WriteAsync(await StrategiesAsync(load, parsed.GetValue(Rounds), cancellationToken), console);
                return 0;
            }
        );
        return root;
    }

    // Measures every strategy that loses nothing, in each round after the warm-up.
    private static async Task<IReadOnlyList<(StrategyDescriptor Strategy, List<StrategyCost> Costs)>> StrategiesAsync(
        HarnessLoad load,
        int rounds,
        CancellationToken cancellationToken
    )
    {
        var rows = StrategyCatalog.Safe.Select(static strategy => (Strategy: strategy, Costs: new List<StrategyCost>())).ToList();
        for (var round = -1; round < rounds; round++)
        {
            foreach (var (strategy, costs) in rows)
            {
                var cost = await load.StrategyAsync(strategy, strategy.MaxConcurrencyInForce(Degree), cancellationToken);
                if (round >= 0)
                {
                    costs.Add(cost);
                }
            }
        }

        return rows;
    }

    private static async Task WriteAsync(IEnumerable<(StrategyDescriptor Strategy, List<StrategyCost> Costs)> rows, CommandConsole console)
    {
        await console.Output.WriteLineAsync();
        await console.Output.WriteLineAsync(
            $"| everything on, degree {Degree}, checkpoints made | events/s, median | lowest | highest | CPU ns/event, median | bytes/event |"
        );
        await console.Output.WriteLineAsync("|---|--:|--:|--:|--:|--:|");
        foreach (var (strategy, costs) in rows)
        {
            var rates = costs.Select(static cost => cost.EventsPerSecond).Order().ToList();
            var times = costs.Select(static cost => cost.Nanoseconds).Median();
            var bytes = costs.Select(static cost => cost.Bytes).Median();
            await console.Output.WriteLineAsync(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"| {strategy.Name} | {rates.Median():N0} | {rates[0]:N0} | {rates[^1]:N0} | {times:F0} | {bytes:F0} |"
                )
            );
        }
    }

    private static async Task WriteAsync(IEnumerable<(string Name, List<HarnessCost> Costs)> rows, CommandConsole console)
    {
        await console.Output.WriteLineAsync("| two sinks that do nothing, events in turn | ns/event, median | lowest | highest | bytes/event |");
        await console.Output.WriteLineAsync("|---|--:|--:|--:|--:|");
        foreach (var (name, costs) in rows)
        {
            var times = costs.Select(static cost => cost.Nanoseconds).Order().ToList();
            await console.Output.WriteLineAsync(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"| {name} | {times.Median():F0} | {times[0]:F0} | {times[^1]:F0} | {costs.Select(static cost => cost.Bytes).Median():F1} |"
                )
            );
        }
    }
}
