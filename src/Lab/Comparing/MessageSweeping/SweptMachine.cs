using System.Globalization;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>What a machine has that can be limited.</summary>
/// <param name="Cores">Processors that this process may use.</param>
/// <param name="MemoryGib">Memory that it may use, whole GiB.</param>
/// <param name="HasTaskset">Whether processors can be limited.</param>
internal sealed record SweptMachine(int Cores, int MemoryGib, bool HasTaskset)
{
    private static readonly int[] SweptCores = [1, 2];
    private static readonly int[] SweptMemory = [2, 6];

    /// <summary>The cores that are swept by default, up to the number of this machine.</summary>
    public IReadOnlyList<string> UsualCores => GetTexts(SweptCores, Cores);

    /// <summary>The GiB that are swept by default, up to those of this machine.</summary>
    public IReadOnlyList<string> UsualMemory => GetTexts(SweptMemory, MemoryGib);

    /// <param name="environment">Returns a variable's value, or null.</param>
    public static SweptMachine Of(Func<string, string?> environment) =>
        new(Environment.ProcessorCount, (int)Math.Max(1, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes >> 30), LimitedProcess.HasTaskset(environment("PATH")));

    private static IReadOnlyList<string> GetTexts(IEnumerable<int> wanted, int most) =>
        [.. wanted.Where(number => number == 1 || number <= most).DefaultIfEmpty(1).Select(static number => number.ToString(CultureInfo.InvariantCulture))];
}
