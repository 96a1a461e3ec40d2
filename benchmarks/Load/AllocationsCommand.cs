using System.CommandLine;
using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load;

/// <summary>Measures what the clients allocate for an operation, by type.</summary>
internal static class AllocationsCommand
{
    private const int Backlog = 150_000;

    private static readonly Option<TimeSpan> Window = Options.Duration(
        "--window",
        "time in which is sampled",
        TimeSpan.FromSeconds(10),
        TimeSpan.FromSeconds(1),
        TimeSpan.FromMinutes(5)
    );

    private static readonly Option<string> Only = Options.TextOr("--only", "loads whose name contains this", string.Empty, "TEXT");
    private static readonly Option<int> Most = Options.Integer("--most", "types that are listed", 12, 1, 100);

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Samples what the clients allocate for each kind of operation, by type.") { Window, Only, Most };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                var window = parsed.GetValue(Window);
                foreach (
                    var name in new CeilingLoads(ClientFamily.BuiltIn, Backlog, window, clock)
                        .Parts.Select(static load => load.Name)
                        .Where(name => name.Contains(parsed.GetValue(Only)!, StringComparison.OrdinalIgnoreCase))
                )
                {
                    using var samples = new AllocationSamples();
                    var loads = new CeilingLoads(ClientFamily.BuiltIn, Backlog, window, clock) { Counting = samples.Toggle };
                    var measured = await loads.Parts.Single(load => load.Name == name).RunOnceAsync(clock, cancellationToken);
                    await WriteAsync(console.Output, name, measured, samples, parsed.GetValue(Most));
                }

                return 0;
            }
        );
        return root;
    }

    private static async Task WriteAsync(TextWriter output, string name, Measured measured, AllocationSamples samples, int most)
    {
        await output.WriteLineAsync(Text($"| {name} | bytes/event | share |"));
        await output.WriteLineAsync("|---|--:|--:|");
        await output.WriteLineAsync(Text($"| all, of {samples.Taken:N0} samples | {measured.ClientBytes:F0} | 100 % |"));
        foreach (var (type, share) in samples.Shares.Take(most))
        {
            await output.WriteLineAsync(Text($"| `{type}` | {share * measured.ClientBytes:F0} | {100 * share:F1} % |"));
        }

        await output.WriteLineAsync();
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
