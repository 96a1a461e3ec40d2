using System.Globalization;
using EventHubThroughput.Settings;
using EventHubThroughput.Settings.Json;

namespace EventHubThroughput.Consumer.Comparing;

/// <summary>
/// A whole comparison as a file: a JSON object whose members are the options of the command without their dashes, a list where an option takes several. So it
/// says nothing that the command line could not, with the same limits and the same errors.
/// </summary>
internal static class ScenarioFile
{
    /// <summary>What stands in a file, as arguments.</summary>
    /// <param name="path">The file.</param>
    /// <param name="known">The options that it may have, without their dashes.</param>
    /// <param name="given">Those that the command line has: it says what counts.</param>
    /// <param name="severalTimes">Those that are given once for each item of a list; of all others the items stand between commas.</param>
    /// <exception cref="UsageException">It cannot be read, or names what there is not.</exception>
    public static IReadOnlyList<string> Arguments(
        string path,
        IReadOnlyCollection<string> known,
        IReadOnlyCollection<string> given,
        IReadOnlyCollection<string> severalTimes
    )
    {
        var document = SettingsDocument.ReadFile(path);
        List<string> arguments = [];
        foreach (var name in known)
        {
            if (document.Root.Find(name) is { } value && ArgumentsOf(name, value, severalTimes.Contains(name)) is { } found && !given.Contains(name))
            {
                arguments.AddRange(found);
            }
        }

        document.ThrowIfWrong();
        return arguments;
    }

    private static IReadOnlyList<string> ArgumentsOf(string name, SettingValue value, bool severalTimes)
    {
        var option = $"--{name}";
        switch (value.Kind)
        {
            case SettingKind.Flag:
                return value.Flag() == true ? [option] : [];
            case SettingKind.List:
                List<string> items = [.. (value.List() ?? []).Select(TextOf).OfType<string>()];
                return severalTimes ? [.. items.SelectMany(item => new[] { option, item })] : [option, string.Join(',', items)];
            default:
                return TextOf(value) is { } text ? [option, text] : [];
        }
    }

    private static string? TextOf(SettingValue value) =>
        value.Kind == SettingKind.Number
            ? value.Number(double.MinValue, double.MaxValue)?.ToString("0.###############", CultureInfo.InvariantCulture)
            : value.Text();
}
