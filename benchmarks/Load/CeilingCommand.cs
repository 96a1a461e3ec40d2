using System.CommandLine;
using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load;

/// <summary>Measures the emulator without latency. No rate above this ceiling may be ranked.</summary>
internal static class CeilingCommand
{
    private const int Backlog = 150_000;

    private static readonly Option<int> Rounds = Options.Integer("--rounds", "rounds of each load", 5, 1, 100);
    private static readonly Option<TimeSpan> Window = Options.Duration(
        "--window",
        "time that is counted in a round",
        TimeSpan.FromSeconds(3),
        TimeSpan.FromSeconds(1),
        TimeSpan.FromMinutes(5)
    );

    private static readonly Option<string> Only = Options.TextOr("--only", "loads whose name contains this", string.Empty, "TEXT");

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Measures what the emulator can do at most, each load against a process of its own.") { Rounds, Window, Only };
        root.SetAction(
            (parsed, cancellationToken) =>
                RunAsync(
                    new CeilingLoads(ClientFamily.BuiltIn, Backlog, parsed.GetValue(Window), clock),
                    parsed.GetValue(Rounds),
                    parsed.GetValue(Only)!,
                    console,
                    clock,
                    cancellationToken
                )
        );
        return root;
    }

    private static async Task<int> RunAsync(
        CeilingLoads loads,
        int rounds,
        string only,
        CommandConsole console,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        IReadOnlyList<CeilingLoad> all = [.. loads.Parts, .. loads.WholeJobs];
        var chosen = all.Where(load => load.Name.Contains(only, StringComparison.OrdinalIgnoreCase)).ToList();
        if (chosen.Count == 0)
        {
            throw new UsageException($"{Only.Name} '{only}': no load's name contains this. Known: {string.Join("; ", all.Select(static load => load.Name))}");
        }

        await console.Output.WriteLineAsync(
            $"| profile none, 1 KiB | events/s, median of {rounds} | lowest | highest | emulator, us/event | clients, us/event | clients, bytes/event |"
        );
        await console.Output.WriteLineAsync("|---|--:|--:|--:|--:|--:|--:|");
        foreach (var load in chosen)
        {
            var measured = new List<Measured>();
            for (var round = 0; round < rounds; round++)
            {
                measured.Add(await load.RunOnceAsync(clock, cancellationToken));
            }

            await console.Output.WriteLineAsync(Row(load.Name, measured));
        }

        if (only.Length == 0)
        {
            await console.Output.WriteLineAsync();
            await console.Output.WriteLineAsync(await HeldBacklog.MeasureAsync(clock, cancellationToken));
            await console.Output.WriteLineAsync(await ManyConnections.MeasureAsync(clock, cancellationToken));
        }

        return 0;
    }

    private static string Row(string name, List<Measured> measured)
    {
        var rates = measured.Select(static one => one.Rate).Order().ToList();
        double Median(Func<Measured, double> figure) => measured.Select(figure).Median();
        return string.Create(
            CultureInfo.InvariantCulture,
            $"| {name} | {rates.Median():F0} | {rates[0]:F0} | {rates[^1]:F0} | {Median(static one => one.EmulatorMicroseconds):F1} | {Median(static one => one.ClientMicroseconds):F1} | {Median(static one => one.ClientBytes):F0} |"
        );
    }
}
