using System.Globalization;

namespace EventHubThroughput.Lab.Configuration;

/// <summary>The kill point at which the process ends, and at which time that it is reached. Written <c>K3</c> or <c>K3:7</c>.</summary>
internal readonly record struct KillOrder(KillPoint Point, int Nth)
{
    /// <summary>Reads an order. Otherwise returns what is wrong with the text, in the form of an option's problem.</summary>
    public static string? Problem(string setting, string text, out KillOrder order)
    {
        order = default;
        var (name, count) = text.Split(':', 2) is [var before, var after] ? (before, after) : (text, "1");
        var point = KillPoints.Parse(name);
        if (point == KillPoint.None)
        {
            return $"{setting} '{text}': unknown kill point, allowed {KillPoints.All[0].Code()} to {KillPoints.All[^1].Code()}, or K3:7 for its seventh occurrence";
        }

        if (!int.TryParse(count, NumberStyles.None, CultureInfo.InvariantCulture, out var nth) || nth < 1)
        {
            return $"{setting} '{text}': '{count}' is not a count, allowed 1 to {int.MaxValue}";
        }

        order = new KillOrder(point, nth);
        return null;
    }

    public override string ToString() => Nth == 1 ? Point.Code() : string.Create(CultureInfo.InvariantCulture, $"{Point.Code()}:{Nth}");
}
