using System.Globalization;

namespace EventHubThroughput.Load.Wire;

/// <summary>The resources that a process has used so far, or between two moments. It is passed between processes as a line of text.</summary>
internal readonly record struct WireSpent(TimeSpan Processor, long Bytes)
{
    public static WireSpent Now => new(Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(precise: true));

    public static WireSpent Parse(string line)
    {
        var parts = line.Split(' ');
        return new WireSpent(new TimeSpan(long.Parse(parts[0], CultureInfo.InvariantCulture)), long.Parse(parts[1], CultureInfo.InvariantCulture));
    }

    public static WireSpent operator -(WireSpent later, WireSpent earlier) => new(later.Processor - earlier.Processor, later.Bytes - earlier.Bytes);

    public FamilyRound For(long transfers, TimeSpan took) =>
        new(transfers / took.TotalSeconds, Processor.TotalMicroseconds / transfers, (double)Bytes / transfers);

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Processor.Ticks} {Bytes}");
}
