using System.Globalization;

namespace EventHubThroughput.Settings;

/// <summary>Durations in command lines and messages: a number and its unit (ms, s, m, h).</summary>
public static class DurationText
{
    internal const string Advice = "write 10s, 500ms or 2m";

    private static readonly (string Unit, long Ticks)[] Units =
    [
        ("ms", TimeSpan.TicksPerMillisecond),
        ("s", TimeSpan.TicksPerSecond),
        ("m", TimeSpan.TicksPerMinute),
        ("h", TimeSpan.TicksPerHour),
    ];

    /// <summary>The shortest exact form: 90s, 2m, 500ms.</summary>
    public static string Format(TimeSpan duration)
    {
        if (duration == TimeSpan.Zero)
        {
            return "0s";
        }

        foreach (var (unit, ticks) in Units.Reverse())
        {
            if (duration.Ticks % ticks == 0)
            {
                return (duration.Ticks / ticks).ToString(CultureInfo.InvariantCulture) + unit;
            }
        }

        return duration.TotalMilliseconds.ToString("0.####", CultureInfo.InvariantCulture) + "ms";
    }

    /// <summary>Parses a duration. Otherwise returns the problem of the text.</summary>
    public static bool TryParse(string text, out TimeSpan duration, out string problem)
    {
        duration = TimeSpan.Zero;
        problem = string.Empty;
        var trimmed = text.Trim();
        var digits = trimmed.TakeWhile(c => char.IsAsciiDigit(c) || c is '.' or '-' or '+').Count();
        if (!decimal.TryParse(trimmed[..digits], NumberStyles.Float, CultureInfo.InvariantCulture, out var number))
        {
            problem = $"not a duration, {Advice}";
            return false;
        }

        var rest = trimmed[digits..].Trim();
        if (rest.Length == 0)
        {
            problem = $"missing unit, {Advice}";
            return false;
        }

        var unit = Array.Find(Units, entry => entry.Unit == rest);
        if (unit.Unit is null)
        {
            problem = $"unknown unit, {Advice}";
            return false;
        }

        // Beyond what a TimeSpan holds, use its maximum, so that the range check names the limits.
        var longest = TimeSpan.MaxValue.Ticks / unit.Ticks;
        duration =
            Math.Abs(number) > longest
                ? number > 0
                    ? TimeSpan.MaxValue
                    : TimeSpan.MinValue
                : TimeSpan.FromTicks((long)(number * unit.Ticks));
        return true;
    }
}
