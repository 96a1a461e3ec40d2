namespace EventHubThroughput.Emulator.Durability;

/// <summary>
/// When stored records are forced to the disk. Every record is handed to the system before its write is acknowledged, whatever
/// the policy: it survives the death of the process. Forcing it to the disk lets it survive the death of the machine too.
/// </summary>
public enum SyncPolicy
{
    /// <summary>Once a second. A machine that dies may lose the last second.</summary>
    Second,

    /// <summary>Before each acknowledgement.</summary>
    Always,

    /// <summary>When the system likes.</summary>
    Never,
}
