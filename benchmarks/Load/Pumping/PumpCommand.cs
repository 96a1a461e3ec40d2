using System.CommandLine;
using System.Globalization;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load.Pumping;

/// <summary>Measures the cost of an event in an event pump, without its handler.</summary>
internal static class PumpCommand
{
    private static readonly Option<int> Rounds = Options.Integer("--rounds", "rounds of each row", 7, 1, 100);
    private static readonly Option<int> Events = Options.Integer("--events", "events of a round", 200_000, 1_000, 5_000_000);

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Measures what an event costs in an event pump beside its handler, in this process.") { Rounds, Events };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                var load = new PumpLoad(clock, parsed.GetValue(Events));
                var rows = PumpLoad.Rows.Select(static row => (Row: row, Costs: new List<PumpCost>())).ToList();

                // The first round compiles. Every row runs in each of the others, so other load of the machine affects all rows alike.
                for (var round = -1; round < parsed.GetValue(Rounds); round++)
                {
                    foreach (var (row, costs) in rows)
                    {
                        var cost = await load.MeasureAsync(row, cancellationToken);
                        if (round >= 0)
                        {
                            costs.Add(cost);
                        }
                    }
                }

                await console.Output.WriteLineAsync(
                    "| handler | pump | CPU us/event more than the bare handler, median | lowest | highest | time us/event more | bytes/event more |"
                );
                await console.Output.WriteLineAsync("|---|---|--:|--:|--:|--:|--:|");
                foreach (var (row, costs) in rows.Where(static row => row.Row.Pump is not null))
                {
                    var bare = rows.First(other => other.Row.Pump is null && other.Row.Yields == row.Yields).Costs;
                    await console.Output.WriteLineAsync(Line(row, [.. costs.Zip(bare, static (cost, without) => cost - without)]));
                }

                return 0;
            }
        );
        return root;
    }

    private static string Line(PumpRow row, List<PumpCost> added)
    {
        var processor = added.Select(static cost => cost.ProcessorMicroseconds).Order().ToList();
        return string.Create(
            CultureInfo.InvariantCulture,
            $"| {(row.Yields ? "yields once" : "completes synchronously")} | {row.Pump}{(row.OfProcessor ? ", arguments of a processor" : "")} | {processor.Median():F2} | {processor[0]:F2} | {processor[^1]:F2} | {added.Select(static cost => cost.Microseconds).Median():F2} | {added.Select(static cost => cost.Bytes).Median():F0} |"
        );
    }
}
