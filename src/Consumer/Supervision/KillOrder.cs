using System.Globalization;

namespace EventHubThroughput.Consumer.Supervision;

/// <summary>At which kill point to die, and at which time that it is reached, written <c>K3</c> or <c>K3:7</c>.</summary>
internal readonly record struct KillOrder(KillPoint Point, int Nth)
{
    /// <summary>Every point that a run can reach, in their order.</summary>
    public static IReadOnlyList<KillPoint> Points { get; } = [.. Enum.GetValues<KillPoint>().Where(point => point != KillPoint.None)];

    /// <summary>Reads an order; otherwise says what is wrong with the text, in the form of an option's problem.</summary>
    public static string? Problem(string setting, string text, out KillOrder order)
    {
        order = default;
        var (name, count) = text.Split(':', 2) is [var before, var after] ? (before, after) : (text, "1");
        var point = Points.FirstOrDefault(known => known.ToString() == name);
        if (point == KillPoint.None)
        {
            return $"{setting} '{text}': unknown kill point, allowed K1 to K14, or K3:7 for the seventh time";
        }

        if (!int.TryParse(count, NumberStyles.None, CultureInfo.InvariantCulture, out var nth) || nth < 1)
        {
            return $"{setting} '{text}': '{count}' is not a count, allowed 1 to {int.MaxValue}";
        }

        order = new KillOrder(point, nth);
        return null;
    }

    public override string ToString() => Nth == 1 ? $"{Point}" : string.Create(CultureInfo.InvariantCulture, $"{Point}:{Nth}");
}
