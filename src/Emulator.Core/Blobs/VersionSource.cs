using System.Globalization;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>Assigns an ETag and a time to every write.</summary>
internal sealed class VersionSource(TimeProvider clock)
{
    private const string Prefix = "0x";

    // Begins at the clock, so that a version from an earlier start never matches by chance.
    private long last = clock.GetUtcNow().UtcTicks;

    public DateTimeOffset Now => clock.GetUtcNow();

    /// <summary>Makes sure that every later version is above one from an earlier run.</summary>
    public void Pass(string etag) => InterlockedMax(GetNumber(etag));

    /// <summary>Converts a version to its number. Versions are ascending numbers. Returns 0 for other text.</summary>
    public static long GetNumber(string? etag) =>
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
