using System.CommandLine;
using System.Runtime.CompilerServices;

namespace EventHubThroughput.CommandLine;

/// <summary>What a command's help explains below its options: the values of one of them, each with its meaning.</summary>
public static class HelpTables
{
    private static readonly ConditionalWeakTable<Command, List<(string Title, IEnumerable<(string Left, string Right)> Rows)>> Tables = [];

    /// <summary>Adds a table of values and meanings.</summary>
    public static void Explain(this Command command, string title, IEnumerable<(string Value, string Meaning)> rows) =>
        Tables.GetOrCreateValue(command).Add((title, rows));

    internal static IEnumerable<(string Title, IEnumerable<(string Left, string Right)> Rows)> Of(Command command) =>
        Tables.TryGetValue(command, out var tables) ? tables : [];
}
