namespace EventHubThroughput.Emulator.ServiceBus;

/// <summary>When somebody last sent to an entity, received from it or looked into it. Safe for several threads.</summary>
internal sealed class LastUse
{
    private long _ticks;

    /// <summary>Null when nobody did since the emulator began.</summary>
    public DateTimeOffset? Time => Volatile.Read(ref _ticks) is > 0 and var ticks ? new DateTimeOffset(ticks, TimeSpan.Zero) : null;

    public void Note(DateTimeOffset now) => Volatile.Write(ref _ticks, now.UtcTicks);
}
