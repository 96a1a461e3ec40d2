using System.CommandLine;
using System.Text.Json;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load.Operations;

/// <summary>A process of <see cref="OperationsCommand"/>: measures one operation once and prints its figures as a line of JSON.</summary>
internal static class OperationRunCommand
{
    public const string Name = "operation-run";

    // The retention of the hub of a load. It is read within seconds, for any window.
    private const int Backlog = 300_000;

    /// <summary>The operation that is measured.</summary>
    public static readonly Option<string> Operation = Options.TextOr("--operation", "the operation that is measured", string.Empty, "NAME");

    /// <summary>All operations, in their order.</summary>
    public static IReadOnlyList<string> Names { get; } =
    [.. All(new CeilingLoads(ClientFamily.BuiltIn, Backlog, TimeSpan.Zero, TimeProvider.System)).Select(static load => load.Name)];

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand("Measures an operation of benchmarks/operations once.")
        {
            FamilyOption.Clients,
            Operation,
            OperationsCommand.WarmUp,
            OperationsCommand.Window,
        };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                var loads = new CeilingLoads(FamilyOption.Of(parsed), Backlog, parsed.GetValue(OperationsCommand.Window), clock)
                {
                    WarmUp = parsed.GetValue(OperationsCommand.WarmUp),
                };
                var name = parsed.GetValue(Operation)!;
                var measured = await All(loads).Single(load => load.Name == name).RunOnceAsync(clock, cancellationToken);
                await console.Output.WriteLineAsync(JsonSerializer.Serialize(OperationsCommand.GetFigures(name, measured)));
                return 0;
            }
        );
        return root;
    }

    private static IEnumerable<CeilingLoad> All(CeilingLoads loads) => [.. loads.Parts, .. loads.Parity];
}
