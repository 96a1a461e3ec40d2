using System.Globalization;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Gives every write its ETag and its time.</summary>
internal sealed class VersionSource(TimeProvider clock)
{
    // Begins at the clock, so that a version remembered from an earlier start never matches by chance.
    private long last = clock.GetUtcNow().UtcTicks;

    public DateTimeOffset Now => clock.GetUtcNow();

    public string Next() => string.Create(CultureInfo.InvariantCulture, $"0x{Interlocked.Increment(ref last):X16}");
}
