using System.CommandLine;
using System.CommandLine.Help;
using EventHubThroughput.Settings;

namespace EventHubThroughput.CommandLine;

/// <summary>
/// Reads the arguments before the parser does. The parser would stop at the first kind of problem and use a different wording. Arguments without a problem
/// (known options, each once, with a value where one is needed) are left to the parser.
/// </summary>
internal sealed class ArgumentScan
{
    private readonly string[] args;
    private readonly HashSet<Option> seen = [];
    private readonly List<string> accepted = [];
    private readonly List<(int Position, string Text)> problems = [];
    private readonly Dictionary<string, int> positions = new(StringComparer.Ordinal);

    private ArgumentScan(Command root, string[] args)
    {
        this.args = args;
        Command = root;
    }

    public Command Command { get; private set; }

    public bool AsksForHelp { get; private set; }

    public bool AsksForVersion { get; private set; }

    /// <summary>The arguments that the parser may see.</summary>
    public IReadOnlyList<string> Accepted => accepted;

    /// <summary>The problems, each with the position of its argument.</summary>
    public IReadOnlyList<(int Position, string Text)> Problems => problems;

    public static ArgumentScan Of(Command root, string[] args)
    {
        var scan = new ArgumentScan(root, args);
        scan.Read();
        return scan;
    }

    /// <summary>The position of an option. The largest integer if it was not given.</summary>
    public int GetPosition(string name) => positions.GetValueOrDefault(name, int.MaxValue);

    private void Read()
    {
        for (var index = 0; index < args.Length; )
        {
            index += IsOption(args[index]) ? ReadOption(index) : ReadWord(index);
        }

        foreach (var option in Command.Options.Where(option => option.Required && !seen.Contains(option)))
        {
            problems.Add((int.MaxValue, $"{option.Name}: not given"));
        }
    }

    private int ReadWord(int index)
    {
        var word = args[index];
        var subcommand = Command.Subcommands.FirstOrDefault(command => command.Name == word);
        if (subcommand is not null)
        {
            Command = subcommand;
            accepted.Add(word);
        }
        else if (Command.Arguments.Count > 0)
        {
            accepted.Add(word);
        }
        else
        {
            var advice = AdviceFor(word, Command.Subcommands.Select(static command => command.Name));
            problems.Add((index, $"{SecretMask.Quote(word)}: unexpected argument{advice}"));
        }

        return 1;
    }

    // Returns the number of arguments that the option used.
    private int ReadOption(int index)
    {
        var argument = args[index];
        var separator = argument.IndexOfAny(['=', ':']);
        var name = separator < 0 ? argument : argument[..separator];
        var hasInlineValue = separator >= 0;
        var next = index + 1 < args.Length && !IsOption(args[index + 1]) ? args[index + 1] : null;
        var option = Find(name);
        if (option is null)
        {
            problems.Add(
                (
                    index,
                    SecretOption.Refusal(name)
                        ?? $"{SecretMask.Apply(name)}: unknown option{AdviceFor(name, KnownOptions.Where(static known => !known.Hidden).Select(static known => known.Name))}"
                )
            );

            // The next word is read as its value, unless it is a command.
            return !hasInlineValue && next is not null && !Command.Subcommands.Any(command => command.Name == next) ? 2 : 1;
        }

        AsksForHelp |= option is HelpOption;
        AsksForVersion |= option is VersionOption;
        var takesValue = option.Arity.MinimumNumberOfValues > 0;
        var taken = takesValue && !hasInlineValue && next is not null ? 2 : 1;
        positions.TryAdd(option.Name, index);
        if (!seen.Add(option) && option.Arity.MaximumNumberOfValues <= 1)
        {
            problems.Add((index, $"{option.Name}: given twice"));
        }
        else if (takesValue && !hasInlineValue && next is null)
        {
            problems.Add((index, $"{option.Name}: value missing"));
        }
        else if (!takesValue && hasInlineValue)
        {
            problems.Add((index, $"{option.Name}: takes no value"));
        }
        else
        {
            accepted.Add(option.Name);
            if (takesValue)
            {
                accepted.Add(hasInlineValue ? argument[(separator + 1)..] : next!);
            }
        }

        return taken;
    }

    private IEnumerable<Option> KnownOptions =>
        Command.Options.Concat(Command.Parents.OfType<Command>().SelectMany(static parent => parent.Options.Where(static option => option.Recursive)));

    private Option? Find(string name) => KnownOptions.FirstOrDefault(option => option.Name == name || option.Aliases.Contains(name));

    private static string AdviceFor(string word, IEnumerable<string> known) =>
        Suggestion.Nearest(word, known) is { } nearest ? $", did you mean '{nearest}'?" : string.Empty;

    // A negative number is a value.
    private static bool IsOption(string argument) => argument.Length > 1 && argument[0] == '-' && !char.IsAsciiDigit(argument[1]) && argument[1] != '.';
}
