using System.CommandLine;
using System.CommandLine.Parsing;
using EventHubThroughput.Settings;

namespace EventHubThroughput.CommandLine;

/// <summary>Options with their limits. Every name is long, kebab-case, begins with two dashes and has no alias.</summary>
public static class Options
{
    public static Option<int> Integer(string name, string help, int defaultValue, int min, int max) =>
        Make(name, $"{help} ({min} to {max})", "N", result => (int)OptionValues.WholeNumber(result, min, max), defaultValue);

    public static Option<int?> OptionalInteger(string name, string help, int min, int max) =>
        Make<int?>(name, $"{help} ({min} to {max})", "N", result => (int)OptionValues.WholeNumber(result, min, max), null);

    public static Option<long> Long(string name, string help, long defaultValue, long min, long max) =>
        Make(name, $"{help} ({min} to {max})", "N", result => OptionValues.WholeNumber(result, min, max), defaultValue);

    public static Option<long?> OptionalLong(string name, string help, long min, long max) =>
        Make<long?>(name, $"{help} ({min} to {max})", "N", result => OptionValues.WholeNumber(result, min, max), null);

    public static Option<double> Number(string name, string help, double defaultValue, double min, double max) =>
        Make(name, Ranged(help, min, max), "NUMBER", result => OptionValues.Number(result, min, max), defaultValue);

    public static Option<double?> OptionalNumber(string name, string help, double min, double max) =>
        Make<double?>(name, Ranged(help, min, max), "NUMBER", result => OptionValues.Number(result, min, max), null);

    /// <summary>Events per second, written 100/s or 100. Further rates apply from a time on: 100/s,500/s@30s. Null when not given.</summary>
    public static Option<IReadOnlyList<(double PerSecond, TimeSpan From)>?> OptionalRates(string name, string help, double min, double max) =>
        Make<IReadOnlyList<(double PerSecond, TimeSpan From)>?>(
            name,
            $"{help} ({NumberText.Format(min)}/s to {NumberText.Format(max)}/s)",
            "N/s[,N/s@TIME...]",
            result => LoadValues.Rates(result, min, max),
            null
        );

    /// <summary>The size of a body in bytes, or several sizes with weights: 64:90,4096:10. Null when not given.</summary>
    public static Option<IReadOnlyList<(int Size, int Weight)>?> OptionalSizes(string name, string help, int min, int max) =>
        Make<IReadOnlyList<(int Size, int Weight)>?>(
            name,
            $"{help} ({NumberText.Format(min)} to {NumberText.Format(max)})",
            "N|N:WEIGHT,...",
            result => LoadValues.Sizes(result, min, max),
            null
        );

    public static Option<TimeSpan> Duration(string name, string help, TimeSpan defaultValue, TimeSpan min, TimeSpan max) =>
        Make(name, Ranged(help, min, max), "TIME", result => OptionValues.Duration(result, min, max), defaultValue);

    public static Option<TimeSpan?> OptionalDuration(string name, string help, TimeSpan min, TimeSpan max) =>
        Make<TimeSpan?>(name, Ranged(help, min, max), "TIME", result => OptionValues.Duration(result, min, max), null);

    /// <summary>One of several names.</summary>
    /// <param name="absent">Names that are valid in another build, each with the reason why this build refuses it.</param>
    public static Option<string> Choice(
        string name,
        string help,
        string defaultValue,
        IReadOnlyList<string> known,
        IReadOnlyDictionary<string, string>? absent = null
    ) => Make(name, help, string.Join('|', known), result => OptionValues.Choice(result, known, absent), defaultValue);

    /// <summary>One of several names. Null when not given.</summary>
    /// <param name="absent">Names that are valid in another build, each with the reason why this build refuses it.</param>
    public static Option<string?> OptionalChoice(string name, string help, IReadOnlyList<string> known, IReadOnlyDictionary<string, string>? absent = null) =>
        Make<string?>(name, help, string.Join('|', known), result => OptionValues.Choice(result, known, absent), null);

    /// <summary>One of several values, by its name in this table.</summary>
    public static Option<T> Choice<T>(string name, string help, T defaultValue, IReadOnlyList<(string Name, T Value)> known) =>
        Make(name, help, OptionValues.Names(known), result => OptionValues.Choice(result, known), defaultValue);

    /// <summary>One of several values, by its name in this table. Null when not given.</summary>
    public static Option<T?> OptionalChoice<T>(string name, string help, IReadOnlyList<(string Name, T Value)> known)
        where T : struct => Make<T?>(name, help, OptionValues.Names(known), result => OptionValues.Choice(result, known), null);

    /// <summary>Any text that is not blank. Null when not given.</summary>
    public static Option<string?> Text(string name, string help, string placeholder = "TEXT") =>
        Make<string?>(name, help, placeholder, OptionValues.Text, null);

    /// <summary>Any text that is not blank. The option is required.</summary>
    public static Option<string?> RequiredText(string name, string help, string placeholder = "TEXT")
    {
        var option = Text(name, help, placeholder);
        option.Required = true;
        return option;
    }

    /// <summary>Any text that is not blank.</summary>
    public static Option<string> TextOr(string name, string help, string defaultValue, string placeholder = "TEXT") =>
        Make(name, help, placeholder, OptionValues.Text, defaultValue);

    /// <summary>Any text that is not blank, for an option that help does not list. Null when not given.</summary>
    public static Option<string?> HiddenText(string name, string help, string placeholder = "TEXT")
    {
        var option = Text(name, help, placeholder);
        option.Hidden = true;
        return option;
    }

    /// <summary>Values separated by commas.</summary>
    public static Option<IReadOnlyList<string>> List(string name, string help, IReadOnlyList<string> defaultValue) =>
        Make(name, help, "A,B", OptionValues.List, defaultValue);

    /// <summary>At least one of several names, each once, separated by commas.</summary>
    public static Option<IReadOnlyList<string>> ListOf(string name, string help, IReadOnlyList<string> known, IReadOnlyList<string> defaultValue) =>
        Make(name, help, "A,B", result => OptionValues.ListOf(result, known, defaultValue), defaultValue);

    public static Option<bool> Flag(string name, string help) => new(name) { Description = help, Arity = ArgumentArity.Zero };

    private static Option<T> Make<T>(string name, string help, string placeholder, Func<ArgumentResult, T> read, T defaultValue) =>
        new(name)
        {
            Description = help,
            HelpName = placeholder,
            Arity = ArgumentArity.ExactlyOne,
            CustomParser = result => read(result),
            DefaultValueFactory = _ => defaultValue,
        };

    private static string Ranged(string help, double min, double max) => $"{help} ({NumberText.Format(min)} to {NumberText.Format(max)})";

    private static string Ranged(string help, TimeSpan min, TimeSpan max) => $"{help} ({DurationText.Format(min)} to {DurationText.Format(max)})";
}
