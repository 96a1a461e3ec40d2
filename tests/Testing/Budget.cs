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

    /// <summary>Cases of each property: <c>EHT_CASES</c>, 1,000 unless set.</summary>
    public static int Cases { get; } = Read("EHT_CASES", 1_000);

    /// <summary>The first seed of the schedules: <c>EHT_SEED</c>, 0 unless set.</summary>
    public static int FirstSeed { get; } = Read("EHT_SEED", 0);

    private static int Read(string name, int otherwise) =>
        Environment.GetEnvironmentVariable(name) switch
        {
            null or "" => otherwise,
            var text when int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value) => value,
            var text => throw new InvalidOperationException($"{name} '{text}': not a whole number, allowed 0 to {int.MaxValue}"),
        };
}
