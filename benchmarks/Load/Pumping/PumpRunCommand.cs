using System.CommandLine;
using System.Text.Json;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load.Pumping;

/// <summary>A process of <see cref="PumpRateCommand"/>: measures a processor once, and prints its rate as a line of JSON.</summary>
internal static class PumpRunCommand
{
    public const string Name = "pump-run";

    private static readonly Option<int> Events = Options.Integer("--events", "events that are sent first", 12_000, 100, 1_000_000);
    private static readonly Option<bool> InTurn = new("--in-turn") { Description = "Without a pump" };

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Measures a processor of benchmarks/pump-rate once.") { Events, InTurn };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                var rate = await new ProcessorRate(clock).MeasureAsync(parsed.GetValue(Events), !parsed.GetValue(InTurn), cancellationToken);
                await console.Output.WriteLineAsync(JsonSerializer.Serialize(rate));
                return 0;
            }
        );
        return root;
    }
}
