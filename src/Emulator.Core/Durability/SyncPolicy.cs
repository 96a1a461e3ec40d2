namespace EventHubThroughput.Emulator.Durability;

/// <summary>
/// When stored records are forced to the disk. Under every policy a record is written to the operating system before its acknowledgement, so it survives the
/// end of the process. Forced to the disk, it also survives a failure of the machine.
/// </summary>
public enum SyncPolicy
{
    /// <summary>Once a second. A failure of the machine may lose the last second.</summary>
    Second,

    /// <summary>Before each acknowledgement.</summary>
    Always,

    /// <summary>When the operating system decides.</summary>
    Never,
}
