using System.CommandLine.Parsing;
using System.Globalization;
using System.Numerics;
using EventHubThroughput.Settings;

namespace EventHubThroughput.CommandLine;

// Reads one option's value. A problem is reported in the project's form: `--name value: what is wrong, what is allowed`.
internal static class OptionValues
{
    public static long WholeNumber(ArgumentResult result, long min, long max)
    {
        var text = result.Tokens[0].Value;
        var allowed = $"allowed {NumberText.Format(min)} to {NumberText.Format(max)}";
        if (!BigInteger.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number))
        {
            return Refuse(result, NumberText.Quote(text), $"not a whole number, {allowed}", min);
        }

        return number < min || number > max ? Refuse(result, NumberText.Shown(text), $"out of range, {allowed}", min) : (long)number;
    }

    public static double Number(ArgumentResult result, double min, double max)
    {
        var text = result.Tokens[0].Value;
        var allowed = $"allowed {NumberText.Format(min)} to {NumberText.Format(max)}";
        if (!double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) || !double.IsFinite(number))
        {
            return Refuse(result, NumberText.Quote(text), $"not a number, {allowed}", min);
        }

        return number < min || number > max ? Refuse(result, NumberText.Shown(text), $"out of range, {allowed}", min) : number;
    }

    public static TimeSpan Duration(ArgumentResult result, TimeSpan min, TimeSpan max)
    {
        var text = result.Tokens[0].Value;
        if (!DurationText.TryParse(text, out var duration, out var problem))
        {
            return Refuse(result, NumberText.Quote(text), problem, min);
        }

        var allowed = $"allowed {DurationText.Format(min)} to {DurationText.Format(max)}";
        return duration < min || duration > max ? Refuse(result, NumberText.Shown(text), $"out of range, {allowed}", min) : duration;
    }

    public static string Choice(ArgumentResult result, IReadOnlyList<string> known, IReadOnlyDictionary<string, string>? absent = null)
    {
        var text = result.Tokens[0].Value;
        if (known.Contains(text, StringComparer.Ordinal))
        {
            return text;
        }

        return absent?.GetValueOrDefault(text) is { } reason
            ? Refuse(result, text, $"{reason}. Known in this build: {string.Join(", ", known)}", known[0])
            : Refuse(result, SecretMask.Quote(text), Unknown(text, known), known[0]);
    }

    public static T Choice<T>(ArgumentResult result, IReadOnlyList<(string Name, T Value)> known)
    {
        var name = Choice(result, [.. known.Select(one => one.Name)]);
        return known.First(one => one.Name == name).Value;
    }

    public static string Names<T>(IEnumerable<(string Name, T Value)> known) => string.Join('|', known.Select(one => one.Name));

    public static string Text(ArgumentResult result)
    {
        var text = result.Tokens[0].Value;
        if (string.IsNullOrWhiteSpace(text))
        {
            result.AddError($"{GetName(result)}: value missing");
        }

        return text;
    }

    public static IReadOnlyList<string> List(ArgumentResult result) =>
        Text(result).Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);

    public static IReadOnlyList<string> ListOf(ArgumentResult result, IReadOnlyList<string> known, IReadOnlyList<string> instead)
    {
        var names = List(result);
        if (names.FirstOrDefault(name => !known.Contains(name, StringComparer.Ordinal)) is { } unknown)
        {
            return Refuse(result, SecretMask.Quote(unknown), Unknown(unknown, known), instead);
        }

        if (names.GroupBy(static name => name, StringComparer.Ordinal).FirstOrDefault(static same => same.Skip(1).Any()) is { } twice)
        {
            return Refuse(result, $"'{twice.Key}'", "named twice", instead);
        }

        return names.Count > 0 ? names : Refuse(result, "','", $"no name. Known: {string.Join(", ", known)}", instead);
    }

    public static string Unknown(string text, IReadOnlyList<string> known)
    {
        var list = string.Join(", ", known);
        return Suggestion.Nearest(text, known) is { } nearest ? $"unknown, did you mean '{nearest}'? Known: {list}" : $"unknown. Known: {list}";
    }

    public static T Refuse<T>(ArgumentResult result, string shown, string problem, T instead)
    {
        result.AddError($"{GetName(result)} {shown}: {problem}");
        return instead;
    }

    private static string GetName(ArgumentResult result) => result.Parent is OptionResult option ? option.Option.Name : result.Argument.Name;
}
