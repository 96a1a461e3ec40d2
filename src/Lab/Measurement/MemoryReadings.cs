using System.Diagnostics;

namespace EventHubThroughput.Lab.Measurement;

/// <summary>The mean resident memory of both processes during a part of a run, in bytes. Null where one was not read.</summary>
internal readonly record struct MemoryFigures(long? Consumer, long? Emulator);

/// <summary>The resident memory of this process and of its emulator at some moments of a run, of the last ten hours at most. Safe for several threads.</summary>
/// <param name="timeProvider">The clock.</param>
/// <param name="emulator">The emulator's process. Null where the run owns none.</param>
internal sealed class MemoryReadings(TimeProvider timeProvider, Process? emulator)
{
    private const int InTenHours = 36_000;

    private readonly RecentReadings<(long Consumer, long? Emulator)> readings = new(timeProvider, InTenHours);

    /// <summary>Records both as they are now.</summary>
    public void Read() => Add(Environment.WorkingSet, emulator is null ? null : ProcessUsage.Of(emulator)?.MemoryBytes);

    /// <summary>Records a reading of now.</summary>
    public void Add(long consumer, long? emulatorBytes) => readings.Add((consumer, emulatorBytes));

    /// <summary>What was read between two raw timestamps.</summary>
    public MemoryFigures Between(long from, long to)
    {
        var within = readings.Between(from, to);
        return new MemoryFigures(GetMean(within.Select(static reading => (long?)reading.Consumer)), GetMean(within.Select(static reading => reading.Emulator)));
    }

    private static long? GetMean(IEnumerable<long?> bytes) => bytes.Average() is { } mean ? (long)mean : null;
}
