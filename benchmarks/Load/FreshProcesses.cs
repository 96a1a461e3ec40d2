using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load;

/// <summary>A figure that a child process measures once.</summary>
/// <param name="Name">What is measured.</param>
/// <param name="Unit">Its unit, empty for a number.</param>
/// <param name="Published">What another project has published for it, in the same unit. Null for nothing.</param>
internal readonly record struct FigureRow(string Name, string Unit, string? Published = null);

/// <summary>Measures rows of figures in processes that each measure once, and compares their medians with those of a file.</summary>
internal static class FreshProcesses
{
    private static readonly TimeSpan Leeway = TimeSpan.FromMinutes(3);

    private static readonly Option<int> Runs = Options.Integer("--runs", "processes that measure each row once", 5, 1, 100);
    private static readonly Option<string?> Output = Options.Text(
        "--output",
        "write the figures of every process to this file (JSON), a baseline for later",
        "FILE"
    );
    private static readonly Option<string?> Baseline = Options.Text("--baseline", "put the medians of this file beside", "FILE");

    /// <summary>The options for the number of runs, the output and the baseline.</summary>
    public static IReadOnlyList<Option> OwnOptions { get; } = [Runs, Output, Baseline];

    /// <summary>Runs every process in turn, the requested number of times, and writes the table.</summary>
    /// <param name="title">The heading of the column of names.</param>
    /// <param name="rows">The rows, in their order.</param>
    /// <param name="processes">The arguments of each process, which prints its figures by the rows' names as a line of JSON.</param>
    /// <param name="window">How long a process measures, without its start and end.</param>
    /// <param name="parsed">The parsed options.</param>
    /// <param name="console">Receives the table.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Ends all processes.</param>
    public static async Task<int> MeasureAsync(
        string title,
        IReadOnlyList<FigureRow> rows,
        IReadOnlyList<IReadOnlyList<string>> processes,
        TimeSpan window,
        ParseResult parsed,
        CommandConsole console,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        var before = parsed.GetValue(Baseline) is { } file ? await ReadAsync(file, cancellationToken) : null;
        Dictionary<string, List<double>> figures = new(StringComparer.Ordinal);
        for (var run = 0; run < parsed.GetValue(Runs); run++)
        {
            foreach (var arguments in processes)
            {
                foreach (var (name, figure) in await RunAsync(arguments, window + Leeway, clock, cancellationToken))
                {
                    figures.TryAdd(name, []);
                    figures[name].Add(figure);
                }
            }
        }

        if (parsed.GetValue(Output) is { } target)
        {
            await File.WriteAllTextAsync(target, JsonSerializer.Serialize(figures), cancellationToken);
        }

        Write(console.Output, title, rows, figures, before);
        return 0;
    }

    /// <summary>Writes the table of figures.</summary>
    public static void Write(
        TextWriter output,
        string title,
        IReadOnlyList<FigureRow> rows,
        IReadOnlyDictionary<string, List<double>> figures,
        Dictionary<string, List<double>>? before
    )
    {
        var published = rows.Any(static row => row.Published is not null);
        output.WriteLine(
            $"| {title} | unit | median | every process |{(published ? " published, before and after |" : "")}{(before is null ? "" : " baseline | by it |")}"
        );
        output.WriteLine($"|---|---|--:|---|{(published ? "--:|" : "")}{(before is null ? "" : "--:|--:|")}");
        foreach (var row in rows.Where(row => figures.ContainsKey(row.Name)))
        {
            var all = figures[row.Name];
            var median = all.Median();
            var beside =
                before is null ? string.Empty
                : before.TryGetValue(row.Name, out var earlier) && earlier.Count > 0
                    ? $" {Text(earlier.Median())} | {(earlier.Median() > 0 ? (median / earlier.Median()).ToString("F2", CultureInfo.InvariantCulture) : "-")} |"
                : " - | - |";
            output.WriteLine(
                $"| {row.Name} | {row.Unit} | {Text(median)} | {string.Join(", ", all.Select(Text))} |{(published ? $" {row.Published ?? "-"} |" : "")}{beside}"
            );
        }
    }

    private static async Task<Dictionary<string, double>> RunAsync(
        IReadOnlyList<string> arguments,
        TimeSpan limit,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        await using var process = ChildProgram.Start("load", arguments, new Dictionary<string, string>(), clock);
        var (code, output, lastLines) = await process.EndAsync(limit, cancellationToken);
        return code == 0
            ? JsonSerializer.Deserialize<Dictionary<string, double>>(output)!
            : throw new FailureException(FailureCause.Verification, $"a process ended with code {code}: {lastLines}");
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

    private static string Text(double figure) => figure.ToString(figure >= 1_000 ? "N0" : "0.###", CultureInfo.InvariantCulture);
}
