using System.Globalization;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Gives every write its ETag and its time.</summary>
internal sealed class VersionSource(TimeProvider clock)
{
    private const string Prefix = "0x";

    // Begins at the clock, so that a version remembered from an earlier start never matches by chance.
    private long last = clock.GetUtcNow().UtcTicks;

    public DateTimeOffset Now => clock.GetUtcNow();

    /// <summary>Makes sure that every version from now on is above one that was given in an earlier run.</summary>
    public void Pass(string etag) => InterlockedMax(NumberOf(etag));

    /// <summary>Versions are numbers that rise. 0 for a text that is none.</summary>
    public static long NumberOf(string? etag) =>
        etag?.StartsWith(Prefix, StringComparison.Ordinal) == true
        && long.TryParse(etag.AsSpan(Prefix.Length), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var number)
            ? number
            : 0;

    public string Next() => string.Create(CultureInfo.InvariantCulture, $"{Prefix}{Interlocked.Increment(ref last):X16}");

    private void InterlockedMax(long number)
    {
        var present = Interlocked.Read(ref last);
        while (present < number)
        {
            var seen = Interlocked.CompareExchange(ref last, number, present);
            if (seen == present)
            {
                return;
            }

            present = seen;
        }
    }
}
