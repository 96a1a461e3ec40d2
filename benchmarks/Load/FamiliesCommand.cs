using System.CommandLine;
using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Load.Bare;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load;

/// <summary>
/// Compares both families of clients and the bare packages in one run: the cost of each operation, the cost that the adapter adds, and the rates of
/// strategies with both families.
/// </summary>
internal static class FamiliesCommand
{
    private const double Agreement = 0.05;

    private static readonly string[] Families = [ClientFamily.BuiltIn.Name, ClientFamily.Official];
    private static readonly string[] All = [.. Families, BareLoads.Name];

    private static readonly TimeSpan RunLimit = TimeSpan.FromMinutes(3);
    private static readonly string[] Strategies = ["baseline", "inloop", "outloop", "combined"];

    // The events that are sent first for the two loads that receive, enough for some seconds.
    private static readonly (string Profile, int Backlog, int Job)[] Profiles = [("none", 150_000, 60_000), ("article", 20_000, 1_200)];

    private static readonly Option<int> Rounds = Options.Integer("--rounds", "rounds of each load and family", 5, 1, 100);
    private static readonly Option<TimeSpan> Window = Options.Duration(
        "--window",
        "time that is counted in a round",
        TimeSpan.FromSeconds(2),
        TimeSpan.FromSeconds(1),
        TimeSpan.FromMinutes(5)
    );

    private static readonly Option<int> Events = Options.Integer("--events", "events of a run of a strategy", 400, 200, 1_000_000);

    private static readonly Option<string> Only = Options.TextOr(
        "--only",
        "rows 'PROFILE: LOAD' or 'consumer: STRATEGY' that contain this",
        string.Empty,
        "TEXT"
    );

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Compares the families of clients, each round against an emulator of its own.") { Rounds, Window, Events, Only };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                await NameVersionsAsync(console);
                var (window, rounds, only) = (parsed.GetValue(Window), parsed.GetValue(Rounds), parsed.GetValue(Only)!);
                foreach (var (profile, backlog, job) in Profiles)
                {
                    var chosen = GetLoads(backlog, job, window, clock).Where(load => IsChosen(profile, load.Name, only)).ToList();
                    await CompareLoadsAsync(profile, chosen, rounds, console, clock, cancellationToken);
                }

                var strategies = Strategies.Where(strategy => IsChosen("consumer", strategy, only)).ToList();
                await CompareStrategiesAsync(strategies, parsed.GetValue(Events), rounds, console, clock, cancellationToken);
                return 0;
            }
        );
        return root;
    }

    private static async Task NameVersionsAsync(CommandConsole console)
    {
        foreach (var family in ClientFamilies.All)
        {
            await console.Output.WriteLineAsync($"- {family.Name}: {family.Describe(new ClientOptions()) ?? "this program"}");
        }
    }

    private static bool IsChosen(string table, string row, string only) => $"{table}: {row}".Contains(only, StringComparison.OrdinalIgnoreCase);

    // The rows, each with the function that measures it once for a family.
    private static IEnumerable<(string Name, Func<string, EmulatorProcess, CancellationToken, Task<Measured>> Measure)> GetLoads(
        int backlog,
        int job,
        TimeSpan window,
        TimeProvider clock
    )
    {
        var bare = new BareLoads(backlog, window, clock);
        var byFamily = Families.ToDictionary(
            static family => family,
            family => new CeilingLoads(ClientFamilies.All.Single(known => known.Name == family), backlog, window, clock),
            StringComparer.Ordinal
        );
        var names = byFamily[ClientFamily.BuiltIn.Name].Parts.Select(static load => load.Name).ToList();
        for (var i = 0; i < names.Count; i++)
        {
            var part = i;
            yield return (
                names[part],
                (family, emulator, token) =>
                    byFamily.TryGetValue(family, out var loads) ? loads.Parts[part].RunAsync(emulator, token) : bare.Parts[part](emulator, token)
            );
        }

        yield return (
            byFamily[ClientFamily.BuiltIn.Name].EventJob(job).Name,
            (family, emulator, token) =>
                byFamily.TryGetValue(family, out var loads) ? loads.EventJob(job).RunAsync(emulator, token) : bare.DoEventJobAsync(emulator, job, token)
        );
    }

    private static async Task CompareLoadsAsync(
        string profile,
        List<(string Name, Func<string, EmulatorProcess, CancellationToken, Task<Measured>> Measure)> loads,
        int rounds,
        CommandConsole console,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        if (loads.Count == 0)
        {
            return;
        }

        await console.Output.WriteLineAsync($"\n{FamilyFigures.Heading($"profile {profile}, 1 KiB", All)}");
        var costs = new List<AdapterCost>();
        foreach (var (name, measure) in loads)
        {
            var figures = new FamilyFigures(name, All) { Compared = ClientFamily.Official };
            async Task<FamilyRound> MeasureAsync(string family)
            {
                await using var emulator = await EmulatorProcess.StartAsync(
                    CeilingLoads.RetentionBytes,
                    null,
                    ["--profile", profile],
                    clock,
                    cancellationToken
                );
                var measured = await measure(family, emulator, cancellationToken);
                return new FamilyRound(measured.Rate, measured.ClientMicroseconds, measured.ClientBytes);
            }

            // Not counted: official and bare share the code of the packages, so the first of them would include its compilation.
            foreach (var family in All)
            {
                await MeasureAsync(family);
            }

            await figures.MeasureAsync(rounds, MeasureAsync);
            await console.Output.WriteLineAsync($"{figures}");
            costs.Add(AdapterCost.Of(name, figures.GetRounds(ClientFamily.Official), figures.GetRounds(BareLoads.Name)));
        }

        await console.Output.WriteLineAsync($"\n{AdapterCost.Heading($"adapter, profile {profile}")}");
        foreach (var cost in costs)
        {
            await console.Output.WriteLineAsync($"{cost}");
        }
    }

    private static async Task CompareStrategiesAsync(
        List<string> strategies,
        int events,
        int rounds,
        CommandConsole console,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        if (strategies.Count == 0)
        {
            return;
        }

        await console.Output.WriteLineAsync($"\n{FamilyFigures.Heading("profile article, consumer", Families)}");
        var apart = new List<string>();
        foreach (var strategy in strategies)
        {
            var figures = new FamilyFigures(strategy, Families);
            await figures.MeasureAsync(rounds, family => ConsumeAsync(family, strategy, events, clock, cancellationToken));
            await console.Output.WriteLineAsync($"{figures}");
            if (figures.LargestDifference > Agreement)
            {
                apart.Add(string.Create(CultureInfo.InvariantCulture, $"{strategy} {figures.LargestDifference:P1}"));
            }
        }

        await console.Output.WriteLineAsync(
            string.Create(
                CultureInfo.InvariantCulture,
                $"\nRates within {Agreement:P0} of each other: {(apart.Count == 0 ? "all" : $"all but {string.Join(", ", apart)}")}."
            )
        );
    }

    private static async Task<FamilyRound> ConsumeAsync(string family, string strategy, int events, TimeProvider clock, CancellationToken cancellationToken)
    {
        using var results = new TemporaryFile();
        await using var consumer = ChildProgram.Start(
            "consumer",
            ["--clients", family, "--strategy", strategy, "--events", events.ToString(CultureInfo.InvariantCulture), "--no-metrics", "--output", results.Path],
            new Dictionary<string, string>(),
            clock
        );
        var (code, _, lastLines) = await consumer.EndAsync(RunLimit, cancellationToken);
        if (code != 0)
        {
            throw new FailureException(FailureCause.Verification, $"{strategy} with {family}: exit code {code}: {lastLines}");
        }

        var result = await ResultJson.ReadRunAsync(results.Path, cancellationToken);
        return
            result is { Safety.Verdict: SafetyVerdict.Clean, Throughput.EventsPerS: { } rate }
            && result.Resources.Consumer is { CpuUsPerEvent: { } spent, AllocatedBytesPerEvent: { } allocated }
            ? new FamilyRound(rate, spent, allocated)
            : throw new FailureException(FailureCause.Verification, $"{strategy} with {family}: nothing measured, or not clean: {result.Safety.Line}");
    }
}
