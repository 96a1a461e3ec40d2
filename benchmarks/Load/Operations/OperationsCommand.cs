using System.CommandLine;
using System.Globalization;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load.Operations;

/// <summary>Measures the cost of each client operation in fresh processes, each with a separate emulator, and compares it with a baseline file.</summary>
internal static class OperationsCommand
{
    /// <summary>The heading of the column of names.</summary>
    public const string Title = "1 KiB";

    private static readonly (string Name, string Unit)[] Figures = [("rate", "events/s"), ("processor", "us"), ("allocated", "B"), ("round trip, mean", "ms")];

    /// <summary>Time at full load that is not counted.</summary>
    public static readonly Option<TimeSpan> WarmUp = Options.Duration(
        "--warm-up",
        "time at full load that is not counted",
        TimeSpan.FromSeconds(20),
        TimeSpan.FromSeconds(1),
        TimeSpan.FromMinutes(5)
    );

    /// <summary>Time that is counted.</summary>
    public static readonly Option<TimeSpan> Window = Options.Duration(
        "--window",
        "time that is counted",
        TimeSpan.FromSeconds(30),
        TimeSpan.FromSeconds(1),
        TimeSpan.FromMinutes(5)
    );

    private static readonly Option<string> Only = Options.TextOr("--only", "operations whose name contains this", string.Empty, "TEXT");

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Measures a call of each operation of the clients, each in a process of its own.")
        {
            FamilyOption.Clients,
            WarmUp,
            Window,
            Only,
        };
        FreshProcesses.OwnOptions.ToList().ForEach(root.Add);
        root.SetAction(
            (parsed, cancellationToken) =>
            {
                var (warmUp, window) = (parsed.GetValue(WarmUp), parsed.GetValue(Window));
                var names = OperationRunCommand.Names.Where(name => name.Contains(parsed.GetValue(Only)!, StringComparison.OrdinalIgnoreCase)).ToList();
                return names.Count == 0
                    ? throw new UsageException(
                        $"{Only.Name} '{parsed.GetValue(Only)}': no operation's name contains this. Known: {string.Join("; ", OperationRunCommand.Names)}"
                    )
                    : FreshProcesses.MeasureAsync(
                        Title,
                        GetRows([.. names]),
                        [
                            .. names.Select(name =>
                                (string[])
                                    [
                                        OperationRunCommand.Name,
                                        FamilyOption.Clients.Name,
                                        parsed.GetValue(FamilyOption.Clients)!,
                                        OperationRunCommand.Operation.Name,
                                        name,
                                        WarmUp.Name,
                                        Seconds(warmUp),
                                        Window.Name,
                                        Seconds(window),
                                    ]
                            ),
                        ],
                        warmUp + window,
                        parsed,
                        console,
                        clock,
                        cancellationToken
                    );
            }
        );
        return root;
    }

    /// <summary>The rows of these operations, or of those with these figures.</summary>
    public static IReadOnlyList<FigureRow> GetRows(IReadOnlyCollection<string> names) =>
        [
            .. OperationRunCommand
                .Names.SelectMany(static name => Figures.Select(figure => (Operation: name, Row: new FigureRow(Of(name, figure.Name), figure.Unit))))
                .Where(one => names.Contains(one.Operation) || names.Contains(one.Row.Name))
                .Select(static one => one.Row),
        ];

    /// <summary>The figures of an operation, by the names of their rows.</summary>
    public static Dictionary<string, double> GetFigures(string operation, Measured measured)
    {
        Dictionary<string, double> figures = new(StringComparer.Ordinal)
        {
            [Of(operation, Figures[0].Name)] = measured.Rate,
            [Of(operation, Figures[1].Name)] = measured.ClientMicroseconds,
            [Of(operation, Figures[2].Name)] = measured.ClientBytes,
        };
        if (measured.RoundTrip is { } each)
        {
            figures[Of(operation, Figures[3].Name)] = each.TotalMilliseconds;
        }

        return figures;
    }

    private static string Of(string operation, string figure) => $"{operation}: {figure}";

    private static string Seconds(TimeSpan time) => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds}s");
}
