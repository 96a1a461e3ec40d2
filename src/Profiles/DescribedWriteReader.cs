using System.Globalization;
using System.Text.RegularExpressions;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Profiles;

/// <summary>Reads the description of a handler's writes: <c>NAME=MEAN[/SPREAD][:concurrency=N][:quota=N/s]</c> each.</summary>
public static partial class DescribedWriteReader
{
    /// <summary>The most writes of a handler.</summary>
    public const int MostWrites = 8;

    internal const string Concurrency = "concurrency";
    internal const string Quota = "quota";

    private const string Form = "write NAME=40ms, NAME=40ms/10ms, NAME=40ms:concurrency=20 or NAME=40ms:quota=500/s";
    private const int MostConcurrency = 100_000;
    private const double LeastRate = 0.001;
    private const double MostRate = 1e9;

    private static readonly TimeSpan Shortest = TimeSpan.FromMicroseconds(10);
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(10);

    /// <summary>The writes of these texts.</summary>
    /// <param name="option">The option that names them.</param>
    /// <param name="texts">One text for each write.</param>
    /// <exception cref="UsageException">All problems.</exception>
    public static IReadOnlyList<DescribedWrite> Read(string option, IReadOnlyList<string> texts)
    {
        List<DescribedWrite> writes = [];
        List<string> problems = [];
        foreach (var text in texts)
        {
            if (TryRead(text, out var write) is { } problem)
            {
                problems.Add($"{option} {SecretMask.Quote(text)}: {problem}");
            }
            else if (writes.Exists(known => known.Name == write!.Name))
            {
                problems.Add($"{option} '{write!.Name}': given twice, allowed is one of each name");
            }
            else
            {
                writes.Add(write!);
            }
        }

        if (texts.Count > MostWrites)
        {
            problems.Add($"{option}: given {texts.Count} times, allowed 1 to {MostWrites}");
        }

        return problems.Count == 0 ? writes : throw new UsageException([.. problems]);
    }

    /// <summary>Whether a text is the name of a write.</summary>
    public static bool IsName(string text) => NamePattern().IsMatch(text);

    private static string? TryRead(string text, out DescribedWrite? write)
    {
        write = null;
        var parts = text.Split(':');
        if (parts[0].Split('=') is not [var name, var times])
        {
            return $"not a write, {Form}";
        }

        if (!IsName(name))
        {
            return "a name is 1 to 40 lower-case letters, digits and dashes and begins with a letter";
        }

        if (ReadTimes(times, out var law) is { } wrong)
        {
            return wrong;
        }

        write = new DescribedWrite(name, law);
        HashSet<string> given = [];
        foreach (var part in parts.Skip(1))
        {
            if (Add(part, given, ref write) is { } problem)
            {
                return problem;
            }
        }

        return null;
    }

    private static string? ReadTimes(string text, out LatencyLaw law)
    {
        law = LatencyLaw.Zero;
        var times = text.Split('/');
        if (times.Length > 2)
        {
            return $"more than a mean and a spread, {Form}";
        }

        if (ReadTime("mean", times[0], out var mean) is { } problem)
        {
            return problem;
        }

        var spread = TimeSpan.Zero;
        if (times.Length == 2 && ReadTime("spread", times[1], out spread) is { } wrong)
        {
            return wrong;
        }

        law = new LatencyLaw { MeanMilliseconds = mean.TotalMilliseconds, DeviationMilliseconds = spread.TotalMilliseconds };
        return null;
    }

    private static string? ReadTime(string title, string text, out TimeSpan time) =>
        !DurationText.TryParse(text, out time, out var problem) ? $"{title} {NumberText.Quote(text)} is {problem}"
        : time < Shortest || time > Longest
            ? $"{title} {NumberText.Shown(text)} out of range, allowed {DurationText.Format(Shortest)} to {DurationText.Format(Longest)}"
        : null;

    private static string? Add(string part, HashSet<string> given, ref DescribedWrite write)
    {
        if (part.Split('=') is not [var key, var value] || key is not (Concurrency or Quota))
        {
            return $"{SecretMask.Quote(part)} is unknown, allowed {Concurrency}=N and {Quota}=N/s";
        }

        if (!given.Add(key))
        {
            return $"{key} is given twice";
        }

        if (key == Concurrency)
        {
            var isNumber = int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var most);
            write = write with { Law = write.Law with { Concurrency = most } };
            return isNumber && most is >= 1 and <= MostConcurrency
                ? null
                : $"{Concurrency} {NumberText.Quote(value)} is not a whole number of 1 to {MostConcurrency}";
        }

        var number = value.EndsWith("/s", StringComparison.Ordinal) ? value[..^2] : "";
        var isRate = double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out var rate);
        write = write with { Law = write.Law with { OperationsPerSecond = rate } };
        return isRate && rate is >= LeastRate and <= MostRate
            ? null
            : $"{Quota} {NumberText.Quote(value)} is not a rate of {NumberText.Format(LeastRate)}/s to {NumberText.Format(MostRate)}/s";
    }

    [GeneratedRegex(@"\A[a-z][a-z0-9-]{0,39}\z", RegexOptions.NonBacktracking)]
    private static partial Regex NamePattern();
}
