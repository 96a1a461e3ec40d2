using System.CommandLine;
using System.Runtime.CompilerServices;

namespace EventHubThroughput.CommandLine;

/// <summary>Adds a layout to help: examples at the top, options in groups, and tables of values at the end.</summary>
public static class HelpLayout
{
    private static readonly ConditionalWeakTable<Command, Layout> Layouts = [];

    /// <summary>Adds a table of values and meanings.</summary>
    public static void Explain(this Command command, string title, IEnumerable<(string Value, string Meaning)> rows) => Of(command).Tables.Add((title, rows));

    /// <summary>Adds examples at the top.</summary>
    public static void ShowExamples(this Command command, params IEnumerable<(string Line, string Meaning)> examples) =>
        Of(command).Examples.AddRange(examples);

    /// <summary>Groups the options of a command and of its subcommands.</summary>
    /// <param name="root">The command.</param>
    /// <param name="titles">The titles of the groups, in order. Options without a group come last.</param>
    /// <param name="titleOf">The title of an option's group, or null.</param>
    public static void GroupOptions(this Command root, IReadOnlyList<string> titles, Func<Option, string?> titleOf) => Of(root).Groups = (titles, titleOf);

    internal static IEnumerable<(string Title, IEnumerable<(string Left, string Right)> Rows)> GetTables(Command command) => Of(command).Tables;

    internal static IEnumerable<(string Left, string Right)> GetExamples(Command command) => Of(command).Examples;

    internal static IEnumerable<(string Title, IEnumerable<Option> Options)> GetGroups(Command command, IReadOnlyList<Option> options)
    {
        var groups = command.Parents.OfType<Command>().Prepend(command).Select(one => Of(one).Groups).FirstOrDefault(static groups => groups is not null);
        if (groups is not var (titles, titleOf))
        {
            return [("Options", options)];
        }

        return titles
            .Select(title => (title, options.Where(option => titleOf(option) == title)))
            .Append(("Other", options.Where(option => titleOf(option) is not { } title || !titles.Contains(title))));
    }

    private static Layout Of(Command command) => Layouts.GetValue(command, static _ => new Layout());

    private sealed class Layout
    {
        public List<(string Title, IEnumerable<(string Left, string Right)> Rows)> Tables { get; } = [];

        public List<(string Left, string Right)> Examples { get; } = [];

        public (IReadOnlyList<string> Titles, Func<Option, string?> GetTitle)? Groups { get; set; }
    }
}
