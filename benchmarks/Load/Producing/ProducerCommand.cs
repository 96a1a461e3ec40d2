using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Sender;

namespace EventHubThroughput.Load.Producing;

/// <summary>What a producer of events can do, in fresh processes, each against an emulator of its own, beside a baseline from a file.</summary>
internal static class ProducerCommand
{
    public static readonly Option<string> Clients = Options.Choice(
        "--clients",
        "whose clients",
        ClientFamily.BuiltIn.Name,
        [.. ClientFamilies.All.Select(static family => family.Name)],
        ClientFamilies.Absent
    );

    private static readonly TimeSpan RunLimit = TimeSpan.FromMinutes(3);
    private static readonly Option<int> Runs = Options.Integer("--runs", "processes that measure each row once", 5, 1, 100);
    private static readonly Option<string?> Output = Options.Text(
        "--output",
        "write the figures of every process to this file (JSON), a baseline for later",
        "FILE"
    );
    private static readonly Option<string?> Baseline = Options.Text("--baseline", "put the medians of this file beside", "FILE");

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Measures sending, batches and the buffered writer, each row once in every process.") { Clients, Runs, Output, Baseline };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                var before = parsed.GetValue(Baseline) is { } file ? await ReadAsync(file, cancellationToken) : null;
                Dictionary<string, List<double>> figures = new(StringComparer.Ordinal);
                for (var run = 0; run < parsed.GetValue(Runs); run++)
                {
                    foreach (var (name, figure) in await RunAsync(parsed.GetValue(Clients)!, clock, cancellationToken))
                    {
                        figures.TryAdd(name, []);
                        figures[name].Add(figure);
                    }
                }

                if (parsed.GetValue(Output) is { } target)
                {
                    await File.WriteAllTextAsync(target, JsonSerializer.Serialize(figures), cancellationToken);
                }

                await WriteAsync(console.Output, figures, before);
                return 0;
            }
        );
        return root;
    }

    private static async Task<Dictionary<string, double>> RunAsync(string family, TimeProvider clock, CancellationToken cancellationToken)
    {
        await using var process = ChildProgram.Start("load", [ProducerRunCommand.Name, Clients.Name, family], new Dictionary<string, string>(), clock);
        var (code, output, lastLines) = await process.EndAsync(RunLimit, cancellationToken);
        return code == 0
            ? JsonSerializer.Deserialize<Dictionary<string, double>>(output)!
            : throw new ExitException(3, $"a process ended with code {code}: {lastLines}");
    }

    private static async Task<Dictionary<string, List<double>>> ReadAsync(string file, CancellationToken cancellationToken)
    {
        try
        {
            return JsonSerializer.Deserialize<Dictionary<string, List<double>>>(await File.ReadAllTextAsync(file, cancellationToken)) ?? [];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or JsonException)
        {
            throw new UsageException($"{Baseline.Name} {file}: not what {Output.Name} writes: {exception.Message}");
        }
    }

    private static async Task WriteAsync(TextWriter output, Dictionary<string, List<double>> figures, Dictionary<string, List<double>>? before)
    {
        await output.WriteLineAsync($"| bodies of 1,000 B | unit | median | every process |{(before is null ? "" : " baseline | by it |")}");
        await output.WriteLineAsync($"|---|---|--:|---|{(before is null ? "" : "--:|--:|")}");
        foreach (var row in ProducerRow.All)
        {
            var all = figures[row.Name];
            var median = all.Median();
            var beside =
                before is null ? string.Empty
                : before.TryGetValue(row.Name, out var earlier) && earlier.Count > 0
                    ? $" {Text(earlier.Median())} | {(earlier.Median() > 0 ? (median / earlier.Median()).ToString("F2", CultureInfo.InvariantCulture) : "-")} |"
                : " - | - |";
            await output.WriteLineAsync($"| {row.Name} | {row.Unit} | {Text(median)} | {string.Join(", ", all.Select(Text))} |{beside}");
        }
    }

    private static string Text(double figure) => figure.ToString(figure >= 1_000 ? "N0" : "0.###", CultureInfo.InvariantCulture);
}
