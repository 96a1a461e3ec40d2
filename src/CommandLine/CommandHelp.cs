using System.CommandLine;
using System.CommandLine.Help;
using EventHubThroughput.Settings;

namespace EventHubThroughput.CommandLine;

// Uses the width of the terminal. For other readers each text is one line.
internal sealed class CommandHelp(TextWriter output, int? columns)
{
    // One long row (a list of choices) must not push all other texts to the right.
    private const int WidestLeft = 34;
    private const int NarrowestText = 24;

    public static void Write(Command command, TextWriter output, int? columns) => new CommandHelp(output, columns).Write(command);

    private void Write(Command command)
    {
        WriteWrapped("", command.Description ?? string.Empty);
        output.WriteLine();
        output.WriteLine($"Usage: {Path(command)}{(command.Subcommands.Count > 0 ? " [command]" : string.Empty)} [options]");
        WriteTable("Examples", HelpLayout.GetExamples(command));
        WriteTable("Commands", command.Subcommands.Where(sub => !sub.Hidden).Select(sub => (sub.Name, sub.Description ?? string.Empty)));
        var parents = command.Parents.OfType<Command>().SelectMany(parent => parent.Options.Where(option => option.Recursive));
        var options = command.Options.Concat(parents).Where(option => !option.Hidden).OrderBy(option => option is HelpOption or VersionOption).ToList();
        foreach (var (title, group) in HelpLayout.GetGroups(command, options))
        {
            WriteTable(title, group.Select(option => (Left(option), Right(option))));
        }

        foreach (var (title, rows) in HelpLayout.GetTables(command))
        {
            WriteTable(title, rows);
        }
    }

    private void WriteTable(string title, IEnumerable<(string Left, string Right)> rows)
    {
        var list = rows.ToList();
        if (list.Count == 0)
        {
            return;
        }

        output.WriteLine();
        output.WriteLine($"{title}:");
        var width = Math.Min(WidestLeft, list.Max(row => row.Left.Length));
        if (columns - (width + 4) < NarrowestText)
        {
            width = 4;
        }

        foreach (var (left, right) in list)
        {
            if (left.Length > width)
            {
                output.WriteLine($"  {left}");
                WriteWrapped(new string(' ', width + 4), right);
            }
            else
            {
                WriteWrapped($"  {left.PadRight(width)}  ", right);
            }
        }
    }

    // Continuation lines are aligned with the text of the first line.
    private void WriteWrapped(string before, string text)
    {
        var room = Math.Max(NarrowestText, (columns ?? int.MaxValue) - before.Length);
        var line = string.Empty;
        foreach (var word in text.Split(' '))
        {
            if (line.Length > 0 && line.Length + 1 + word.Length > room)
            {
                output.WriteLine(before + line);
                (before, line) = (new string(' ', before.Length), string.Empty);
            }

            line = line.Length == 0 ? word : $"{line} {word}";
        }

        output.WriteLine((before + line).TrimEnd());
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
            Enum choice => choice.ToString().ToLowerInvariant(),
            TimeSpan duration => DurationText.Format(duration),
            double number => NumberText.Format(number),
            IReadOnlyList<string> list => string.Join(',', list),
            _ => value.ToString(),
        };
        return string.IsNullOrEmpty(shown) ? option.Description ?? string.Empty : $"{option.Description} [{shown}]";
    }
}
