using System.Globalization;
using EventHubThroughput.Emulator.EventHubs;

namespace EventHubThroughput.Emulator.Messages;

/// <summary>The text form of positions.</summary>
internal static class Positions
{
    public static string OffsetOf(long sequence) => sequence.ToString(CultureInfo.InvariantCulture);
}
