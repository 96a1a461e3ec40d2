using System.CommandLine;
using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Load.Wire;

namespace EventHubThroughput.Load.PingPong;

/// <summary>
/// Measures requests and replies: between two connections of <c>src/Amqp</c> in memory, without a socket or a system call, and on loopback with each library.
/// </summary>
internal static class PingPongCommand
{
    private static readonly Option<int> Rounds = Options.Integer("--rounds", "rounds", 10, 1, 100);
    private static readonly Option<int> Count = Options.Integer("--count", "round trips in each round", 1_048_576, 1_000, 100_000_000);
    private static readonly Option<int> LoopbackCount = Options.Integer(
        "--loopback-count",
        "round trips in each round on loopback",
        100_000,
        1_000,
        100_000_000
    );
    private static readonly Option<int> Most = Options.Integer("--most", "types that are listed", 10, 1, 100);

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Measures round trips of empty messages: in memory, with what they allocate, and on loopback beside other libraries.")
        {
            Rounds,
            Count,
            LoopbackCount,
            Most,
        };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                var count = parsed.GetValue(Count);
                await using var run = await PingPongRun.StartAsync(cancellationToken);
                await run.RunAsync(count / 4, cancellationToken);
                List<(double Rate, double Microseconds, double Bytes)> rounds = [];
                for (var round = 0; round < parsed.GetValue(Rounds); round++)
                {
                    var (cpu, bytes, began) = (Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(precise: true), clock.GetTimestamp());
                    await run.RunAsync(count, cancellationToken);
                    rounds.Add(
                        (
                            count / clock.GetElapsedTime(began).TotalSeconds,
                            (Environment.CpuUsage.TotalTime - cpu).TotalMicroseconds / count,
                            (double)(GC.GetTotalAllocatedBytes(precise: true) - bytes) / count
                        )
                    );
                }

                // Measured separately, because sampling allocates too.
                using var samples = new AllocationSamples();
                samples.Toggle();
                await run.RunAsync(count, cancellationToken);
                samples.Toggle();

                var rates = rounds.Select(static round => round.Rate).Order().ToList();
                await console.Output.WriteLineAsync("| empty messages, credit 64, in memory | round trips/s, median | lowest | highest | us | bytes |");
                await console.Output.WriteLineAsync("|---|--:|--:|--:|--:|--:|");
                await console.Output.WriteLineAsync(
                    Text(
                        $"| {rounds.Count} x {count:N0}, both ends | {rates.Median():N0} | {rates[0]:N0} | {rates[^1]:N0} | {rounds.Select(static round => round.Microseconds).Median():F2} | {rounds.Select(static round => round.Bytes).Median():F3} |"
                    )
                );
                await console.Output.WriteLineAsync(Text($"\n| objects of a round, from {samples.Taken:N0} samples | about | bytes a round trip |"));
                await console.Output.WriteLineAsync("|---|--:|--:|");
                foreach (var (type, objects, size) in samples.Objects.Take(parsed.GetValue(Most)))
                {
                    await console.Output.WriteLineAsync(Text($"| `{type}` | {objects:N0} | {size / count:F2} |"));
                }

                await WireRows.PrintRoundTripsAsync(console, parsed.GetValue(Rounds), parsed.GetValue(LoopbackCount), clock, cancellationToken);
                return 0;
            }
        );
        return root;
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
