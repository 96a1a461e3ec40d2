using System.Globalization;

namespace EventHubThroughput.Settings;

/// <summary>Numbers of bytes in command lines and messages: 65536, 64KiB, 1MiB, 2GiB.</summary>
public static class SizeText
{
    private static readonly (string Unit, long Bytes)[] Units = [("GiB", 1L << 30), ("MiB", 1L << 20), ("KiB", 1L << 10), ("B", 1)];

    /// <summary>The shortest exact form.</summary>
    public static string Format(long bytes)
    {
        var (unit, size) = Units.First(entry => bytes % entry.Bytes == 0 && (bytes != 0 || entry.Bytes == 1));
        return size == 1 ? bytes.ToString(CultureInfo.InvariantCulture) : (bytes / size).ToString(CultureInfo.InvariantCulture) + unit;
    }

    /// <summary>Parses a whole number of bytes or of a unit. False when it is neither, or negative, or too large for a long.</summary>
    public static bool TryParse(string text, out long bytes)
    {
        var trimmed = text.Trim();
        var unit = Array.Find(Units, entry => trimmed.EndsWith(entry.Unit, StringComparison.Ordinal));
        var digits = unit.Unit is null ? trimmed : trimmed[..^unit.Unit.Length].TrimEnd();
        var size = unit.Unit is null ? 1 : unit.Bytes;
        if (long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number <= long.MaxValue / size)
        {
            bytes = number * size;
            return true;
        }

        bytes = 0;
        return false;
    }
}
