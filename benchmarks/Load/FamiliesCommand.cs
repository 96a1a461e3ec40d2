using System.CommandLine;
using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Results;

namespace EventHubThroughput.Load;

/// <summary>Both families of clients in one run: what each operation costs them, and whether strategies get the same rates from them.</summary>
internal static class FamiliesCommand
{
    private const double Agreement = 0.05;

    private static readonly string[] Families = [.. ClientFamilies.All.Select(static family => family.Name)];

    private static readonly TimeSpan RunLimit = TimeSpan.FromMinutes(3);
    private static readonly string[] Strategies = ["baseline", "inloop", "outloop", "combined"];

    // Events that are sent first for the load that receives: some seconds' worth.
    private static readonly (string Profile, int Backlog)[] Profiles = [("none", 150_000), ("article", 20_000)];

    private static readonly Option<int> Rounds = Options.Integer("--rounds", "rounds of each load and family", 5, 1, 100);
    private static readonly Option<TimeSpan> Window = Options.Duration(
        "--window",
        "time that is counted in a round",
        TimeSpan.FromSeconds(2),
        TimeSpan.FromSeconds(1),
        TimeSpan.FromMinutes(5)
    );

    private static readonly Option<int> Events = Options.Integer("--events", "events of a run of a strategy", 400, 200, 1_000_000);

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Compares the families of clients, each round against an emulator of its own.") { Rounds, Window, Events };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                await NameVersionsAsync(console);
                foreach (var (profile, backlog) in Profiles)
                {
                    await CompareLoadsAsync(profile, backlog, parsed.GetValue(Window), parsed.GetValue(Rounds), console, clock, cancellationToken);
                }

                await CompareStrategiesAsync(parsed.GetValue(Events), parsed.GetValue(Rounds), console, clock, cancellationToken);
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

    private static async Task CompareLoadsAsync(
        string profile,
        int backlog,
        TimeSpan window,
        int rounds,
        CommandConsole console,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        await console.Output.WriteLineAsync($"\n{FamilyFigures.Heading($"profile {profile}, 1 KiB", Families)}");
        CeilingLoads LoadsOf(string family) => new(ClientFamilies.All.Single(known => known.Name == family), backlog, window, clock);
        foreach (var name in LoadsOf(ClientFamily.BuiltIn.Name).Parts.Select(static load => load.Name))
        {
            var figures = new FamilyFigures(name, Families);
            await figures.MeasureAsync(
                rounds,
                async family =>
                {
                    await using var emulator = await EmulatorProcess.StartAsync(
                        CeilingLoads.RetentionBytes,
                        null,
                        ["--profile", profile],
                        clock,
                        cancellationToken
                    );
                    var measured = await LoadsOf(family).Parts.Single(load => load.Name == name).RunAsync(emulator, cancellationToken);
                    return new FamilyRound(measured.Rate, measured.ClientMicroseconds, measured.ClientBytes);
                }
            );
            await console.Output.WriteLineAsync($"{figures}");
        }
    }

    private static async Task CompareStrategiesAsync(int events, int rounds, CommandConsole console, TimeProvider clock, CancellationToken cancellationToken)
    {
        await console.Output.WriteLineAsync($"\n{FamilyFigures.Heading("profile article, consumer", Families)}");
        var apart = new List<string>();
        foreach (var strategy in Strategies)
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
            throw new ExitException(3, $"{strategy} with {family}: exit code {code}: {lastLines}");
        }

        var result = await ResultJson.ReadRunAsync(results.Path, cancellationToken);
        return
            result is { Safety.Verdict: SafetyVerdict.Clean, Throughput.EventsPerS: { } rate }
            && result.Resources.Consumer is { CpuUsPerEvent: { } spent, AllocatedBytesPerEvent: { } allocated }
            ? new FamilyRound(rate, spent, allocated)
            : throw new ExitException(3, $"{strategy} with {family}: nothing measured, or not clean: {result.Safety.Line}");
    }
}
