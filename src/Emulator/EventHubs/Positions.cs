using System.Globalization;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>The text form of positions.</summary>
internal static class Positions
{
    public static string OffsetOf(long sequence) => sequence.ToString(CultureInfo.InvariantCulture);
}
