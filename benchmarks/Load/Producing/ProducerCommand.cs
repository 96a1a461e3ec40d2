using System.CommandLine;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load.Producing;

/// <summary>Measures a producer of events in fresh processes, each with a separate emulator, and compares it with a baseline file.</summary>
internal static class ProducerCommand
{
    /// <summary>The heading of the column of names.</summary>
    public const string Title = "bodies of 1,000 B";

    /// <summary>The rows.</summary>
    public static IReadOnlyList<FigureRow> Rows { get; } = [.. ProducerRow.All.Select(static row => new FigureRow(row.Name, row.Unit, row.Published))];

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Measures sending, batches and the buffered writer, each row once in every process.") { FamilyOption.Clients };
        FreshProcesses.OwnOptions.ToList().ForEach(root.Add);
        root.SetAction(
            (parsed, cancellationToken) =>
                FreshProcesses.MeasureAsync(
                    Title,
                    Rows,
                    [
                        [ProducerRunCommand.Name, FamilyOption.Clients.Name, parsed.GetValue(FamilyOption.Clients)!],
                    ],
                    TimeSpan.Zero,
                    parsed,
                    console,
                    clock,
                    cancellationToken
                )
        );
        return root;
    }
}
