using System.CommandLine;
using System.Text.Json;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load.Producing;

/// <summary>A process of <see cref="ProducerCommand"/>: measures each row once and prints the figures as a line of JSON.</summary>
internal static class ProducerRunCommand
{
    public const string Name = "producer-run";

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Measures the rows of benchmarks/producer once.") { FamilyOption.Clients };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                await using var emulator = await EmulatorProcess.StartAsync(CeilingLoads.RetentionBytes, null, [], clock, cancellationToken);
                await using var bench = new ProducerBench(emulator.CreateClients(FamilyOption.Of(parsed)), clock);
                Dictionary<string, double> figures = new(StringComparer.Ordinal);
                foreach (var row in ProducerRow.All)
                {
                    figures[row.Name] = await row.MeasureAsync(bench, cancellationToken);
                }

                await console.Output.WriteLineAsync(JsonSerializer.Serialize(figures));
                return 0;
            }
        );
        return root;
    }
}
