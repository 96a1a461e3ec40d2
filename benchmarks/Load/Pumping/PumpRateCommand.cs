using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load.Pumping;

/// <summary>Compares a processor with a pump with the strategy pipelined of the consumer, and with the same processor that handles events in turn.</summary>
internal static class PumpRateCommand
{
    private const int InTurnEvents = 600;

    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(5);

    private static readonly Option<int> Rounds = Options.Integer("--rounds", "rounds, each of three processes", 5, 1, 100);
    private static readonly Option<int> Events = Options.Integer("--events", "events of a round", 12_000, 1_000, 1_000_000);

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Compares the rate of a processor over an event pump with those of other consumers, each in a process of its own.")
        {
            Rounds,
            Events,
        };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                List<(double Pump, double Pipelined, double InTurn)> rounds = [];
                var events = parsed.GetValue(Events);
                for (var round = 0; round < parsed.GetValue(Rounds); round++)
                {
                    // The two of a pair alternate, so that a machine that becomes slower favours neither.
                    var first = round % 2 == 0 ? await PumpAsync(events, [], clock, cancellationToken) : 0;
                    var pipelined = await PipelinedAsync(events, clock, cancellationToken);
                    var pump = round % 2 == 0 ? first : await PumpAsync(events, [], clock, cancellationToken);
                    rounds.Add((pump, pipelined, await PumpAsync(InTurnEvents, ["--in-turn"], clock, cancellationToken)));
                }

                await console.Output.WriteLineAsync(
                    $"| profile {ProcessorRate.Profile}, one partition, {ProcessorRate.Concurrency} events in flight | events/s, median | lowest | highest |"
                );
                await console.Output.WriteLineAsync("|---|--:|--:|--:|");
                await WriteAsync(console, "EventPump.Unordered under a processor of the official package", rounds.Select(static round => round.Pump), "N0");
                await WriteAsync(console, "`consumer run --strategy pipelined`", rounds.Select(static round => round.Pipelined), "N0");
                await WriteAsync(console, "the same processor, events in turn", rounds.Select(static round => round.InTurn), "N1");
                await WriteAsync(console, "pump by pipelined, of each round", rounds.Select(static round => round.Pump / round.Pipelined), "F3");
                await WriteAsync(console, "pump by in turn, of each round", rounds.Select(static round => round.Pump / round.InTurn), "F1");
                return 0;
            }
        );
        return root;
    }

    private static async Task WriteAsync(CommandConsole console, string row, IEnumerable<double> figures, string format)
    {
        var sorted = figures.Order().ToList();
        var texts = new[] { sorted.Median(), sorted[0], sorted[^1] }.Select(figure => figure.ToString(format, CultureInfo.InvariantCulture));
        await console.Output.WriteLineAsync($"| {row} | {string.Join(" | ", texts)} |");
    }

    private static async Task<double> PumpAsync(int events, string[] options, TimeProvider clock, CancellationToken cancellationToken)
    {
        string[] arguments = [PumpRunCommand.Name, "--events", events.ToString(CultureInfo.InvariantCulture), .. options];
        return JsonSerializer.Deserialize<double>(await RunAsync("load", arguments, clock, cancellationToken));
    }

    private static async Task<double> PipelinedAsync(int events, TimeProvider clock, CancellationToken cancellationToken)
    {
        using var results = new TemporaryFile();
        string[] arguments =
        [
            .. "--strategy pipelined --clients official --partitions 1 --warm-up 2s --no-metrics".Split(' '),
            "--profile",
            ProcessorRate.Profile,
            "--degree",
            ProcessorRate.Concurrency.ToString(CultureInfo.InvariantCulture),
            "--events",
            events.ToString(CultureInfo.InvariantCulture),
            "--output",
            results.Path,
        ];
        await RunAsync("consumer", arguments, clock, cancellationToken);
        var result = await ResultJson.ReadRunAsync(results.Path, cancellationToken);
        return result is { Safety.Verdict: SafetyVerdict.Clean, Throughput.EventsPerS: { } rate }
            ? rate
            : throw new FailureException(FailureCause.Verification, $"nothing measured, or not clean: {result.Safety.Line}");
    }

    private static async Task<string> RunAsync(string program, string[] arguments, TimeProvider clock, CancellationToken cancellationToken)
    {
        await using var process = ChildProgram.Start(program, arguments, new Dictionary<string, string>(), clock);
        var (code, output, lastLines) = await process.EndAsync(Limit, cancellationToken);
        return code == 0 ? output : throw new FailureException(FailureCause.Verification, $"{program} ended with code {code}: {lastLines}");
    }
}
