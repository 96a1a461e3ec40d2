using System.CommandLine;
using System.CommandLine.Help;

namespace EventHubThroughput.CommandLine;

internal static class CommandHelp
{
    public static void Write(Command command, TextWriter output)
    {
        output.WriteLine(command.Description);
        output.WriteLine();
        output.WriteLine($"Usage: {Path(command)}{(command.Subcommands.Count > 0 ? " [command]" : string.Empty)} [options]");
        WriteTable("Commands", command.Subcommands.Where(sub => !sub.Hidden).Select(sub => (sub.Name, sub.Description ?? string.Empty)), output);
        var parents = command.Parents.OfType<Command>().SelectMany(parent => parent.Options.Where(option => option.Recursive));
        var options = command
            .Options.Concat(parents)
            .Where(option => !option.Hidden)
            .OrderBy(option => option is HelpOption or VersionOption)
            .Select(option => (Left(option), Right(option)));
        WriteTable("Options", options, output);
        foreach (var (title, rows) in HelpTables.Of(command))
        {
            WriteTable(title, rows, output);
        }
    }

    private static void WriteTable(string title, IEnumerable<(string Left, string Right)> rows, TextWriter output)
    {
        var list = rows.ToList();
        if (list.Count == 0)
        {
            return;
        }

        output.WriteLine();
        output.WriteLine($"{title}:");

        // One long row (a list of choices) must not push every other text to the right.
        var width = Math.Min(34, list.Max(row => row.Left.Length));
        foreach (var (left, right) in list)
        {
            if (left.Length > width)
            {
                output.WriteLine($"  {left}");
                output.WriteLine($"  {new string(' ', width)}  {right}");
            }
            else
            {
                output.WriteLine($"  {left.PadRight(width)}  {right}");
            }
        }
    }

    private static string Path(Command command) => string.Join(' ', command.Parents.OfType<Command>().Reverse().Append(command).Select(part => part.Name));

    private static string Left(Option option) => option.Arity.MinimumNumberOfValues > 0 ? $"{option.Name} {option.HelpName}" : option.Name;

    private static string Right(Option option)
    {
        if (option.Arity.MaximumNumberOfValues == 0 || option is HelpOption or VersionOption)
        {
            return option.Description ?? string.Empty;
        }

        var value = option.HasDefaultValue ? option.GetDefaultValue() : null;
        var shown = value switch
        {
            null => null,
            TimeSpan duration => DurationText.Format(duration),
            double number => OptionValues.Format(number),
            IReadOnlyList<string> list => string.Join(',', list),
            _ => value.ToString(),
        };
        return string.IsNullOrEmpty(shown) ? option.Description ?? string.Empty : $"{option.Description} [{shown}]";
    }
}
