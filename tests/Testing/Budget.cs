using System.Globalization;

namespace EventHubThroughput.Testing;

/// <summary>
/// How much a test explores: little for each commit, more in the long run (<c>benchmarks/longrun</c>), one schedule to repeat
/// a failure. Set through the environment.
/// </summary>
public static class Budget
{
    /// <summary>Schedules of each schedule test: <c>EHT_SCHEDULES</c>, 1,000 unless set.</summary>
    public static int Schedules { get; } = Read("EHT_SCHEDULES", 1_000);

    /// <summary>Good journals that must stay clean: <c>EHT_JOURNALS</c>, 100 by default.</summary>
    public static int Journals { get; } = Read("EHT_JOURNALS", 100);

    /// <summary>Whether a shared machine runs the tests: <c>CI=true</c>.</summary>
    public static bool IsCI { get; } = Environment.GetEnvironmentVariable("CI") == "true";

    /// <summary>Kills of each example beside the event pump: <c>EHT_KILLS</c>, 5 unless set.</summary>
    public static int Kills { get; } = Read("EHT_KILLS", 5);

    /// <summary>Cases of each property: <c>EHT_CASES</c>. By default 100 at a desk and 1,000 in CI.</summary>
    public static int Cases { get; } = Read("EHT_CASES", UsualCases(IsCI));

    /// <summary>The first seed of the schedules: <c>EHT_SEED</c>, 0 unless set.</summary>
    public static int FirstSeed { get; } = Read("EHT_SEED", 0);

    /// <summary>A seed for one run of real programs: another each time at a desk, the same in CI. A failure must name it.</summary>
    public static int DrawSeed() => IsCI ? 2 : Random.Shared.Next(2, 1_000_000);

    /// <summary>Cases of each property where nothing else is asked for.</summary>
    public static int UsualCases(bool isCI) => isCI ? 1_000 : 100;

    private static int Read(string name, int otherwise) =>
        Environment.GetEnvironmentVariable(name) switch
        {
            null or "" => otherwise,
            var text when int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value) => value,
            var text => throw new InvalidOperationException($"{name} '{text}': not a whole number, allowed 0 to {int.MaxValue}"),
        };
}
