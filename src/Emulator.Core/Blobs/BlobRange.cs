using System.Globalization;

namespace EventHubThroughput.Emulator.Blobs;

/// <summary>The range of a blob that a read requests.</summary>
internal readonly record struct BlobRange(long Start, long Length)
{
    private const string Unit = "bytes=";

    /// <summary>Parses a range header: from, from and to, or the last N bytes. Any other form requests the whole blob, as in HTTP.</summary>
    /// <param name="header">The value, or null.</param>
    /// <param name="total">The length of the blob.</param>
    /// <param name="range">The range, cut at the end of the blob. Null for the whole blob.</param>
    /// <returns>False when the range contains no byte.</returns>
    public static bool TryRead(string? header, long total, out BlobRange? range)
    {
        range = null;
        if (header is null || !header.StartsWith(Unit, StringComparison.OrdinalIgnoreCase))
        {
            return true;
        }

        var text = header.AsSpan(Unit.Length).Trim();
        var dash = text.IndexOf('-');
        if (dash == 0 && TryNumber(text[1..], out var count))
        {
            var suffix = Math.Min(count, total);
            range = new BlobRange(total - suffix, suffix);
            return suffix > 0;
        }

        if (dash <= 0 || !TryNumber(text[..dash], out var first))
        {
            return true;
        }

        var last = long.MaxValue;
        if (dash < text.Length - 1 && !TryNumber(text[(dash + 1)..], out last))
        {
            return true;
        }

        if (first > last || first >= total)
        {
            return false;
        }

        range = new BlobRange(first, Math.Min(last, total - 1) - first + 1);
        return true;
    }

    private static bool TryNumber(ReadOnlySpan<char> text, out long number) => long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}
