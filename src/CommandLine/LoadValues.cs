using System.CommandLine.Parsing;
using System.Globalization;
using EventHubThroughput.Settings;

namespace EventHubThroughput.CommandLine;

// Parses the parts of a load: rates over time, and sizes with their weights. Problems have the form of OptionValues.
internal static class LoadValues
{
    private const int MostSteps = 100;
    private const int MostSizes = 100;
    private const int MostWeight = 1_000_000;

    public static IReadOnlyList<(double PerSecond, TimeSpan From)> Rates(ArgumentResult result, double min, double max)
    {
        var text = result.Tokens[0].Value;
        List<(double PerSecond, TimeSpan From)> steps = [];
        foreach (var part in text.Split(','))
        {
            if (GetProblem(part, steps, min, max) is { } problem)
            {
                return OptionValues.Refuse(result, steps.Count == 0 && IsRate(text, out _) ? NumberText.Shown(text) : SecretMask.Quote(text), problem, steps);
            }
        }

        return steps;
    }

    public static IReadOnlyList<(int Size, int Weight)> Sizes(ArgumentResult result, int min, int max)
    {
        var text = result.Tokens[0].Value;
        if (!text.Contains(':', StringComparison.Ordinal))
        {
            return [((int)OptionValues.WholeNumber(result, min, max), 1)];
        }

        List<(int Size, int Weight)> sizes = [];
        foreach (var part in text.Split(','))
        {
            if (GetProblem(part, sizes, min, max) is { } problem)
            {
                return OptionValues.Refuse(result, SecretMask.Quote(text), problem, sizes);
            }
        }

        return sizes;
    }

    // Adds the step of the part. Returns its problem, or null.
    private static string? GetProblem(string part, List<(double PerSecond, TimeSpan From)> steps, double min, double max)
    {
        var (rate, time) = part.Split('@', 2) is [var before, var after] ? (before, after) : (part, null);
        var from = TimeSpan.Zero;
        if (!IsRate(rate, out var perSecond))
        {
            return steps.Count == 0 ? "not a rate, write 100/s" : $"{NumberText.Quote(part)} is not a rate with a time, write 100/s,500/s@30s";
        }

        if (perSecond < min || perSecond > max)
        {
            return $"out of range, allowed {NumberText.Format(min)}/s to {NumberText.Format(max)}/s";
        }

        if (time is not null && !DurationText.TryParse(time, out from, out var problem))
        {
            return $"{NumberText.Quote(time)} is not a time: {problem}";
        }

        if (steps.Count == 0 && from != TimeSpan.Zero)
        {
            return "the first rate applies from the start and has no time, write 100/s,500/s@30s";
        }

        if (steps.Count > 0 && from <= steps[^1].From)
        {
            return $"{NumberText.Quote(part)} is not later than the rate before it, write 100/s,500/s@30s";
        }

        steps.Add((perSecond, from));
        return steps.Count > MostSteps ? $"more than {MostSteps} rates" : null;
    }

    private static string? GetProblem(string part, List<(int Size, int Weight)> sizes, int min, int max)
    {
        if (part.Split(':') is not [var size, var weight] || !IsNumber(size, out var bytes) || !IsNumber(weight, out var share))
        {
            return $"{NumberText.Quote(part)} is not a size with a weight, write 64:90,4096:10";
        }

        if (bytes < min || bytes > max)
        {
            return $"size {bytes} out of range, allowed {NumberText.Format(min)} to {NumberText.Format(max)}";
        }

        if (share is < 1 or > MostWeight)
        {
            return $"weight {share} out of range, allowed 1 to {MostWeight}";
        }

        if (sizes.Exists(one => one.Size == bytes))
        {
            return $"size {bytes} is given twice";
        }

        sizes.Add((bytes, share));
        return sizes.Count > MostSizes ? $"more than {MostSizes} sizes" : null;
    }

    private static bool IsRate(string text, out double rate)
    {
        var number = text.EndsWith("/s", StringComparison.Ordinal) ? text[..^2] : text;
        return double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out rate) && double.IsFinite(rate);
    }

    private static bool IsNumber(string text, out int number) => int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number);
}
