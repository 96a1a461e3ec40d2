namespace EventHubThroughput.Emulator;

/// <summary>What kept an emulator from starting.</summary>
public enum EmulatorErrorKind
{
    /// <summary>A setting, or a file that it names, is not what it must be.</summary>
    InvalidInput,

    /// <summary>What an earlier emulator stored is damaged, or contradicts what is asked for.</summary>
    InconsistentData,

    /// <summary>A file or folder cannot be written.</summary>
    NotWritable,

    /// <summary>A port is in use, or this user may not listen on it.</summary>
    PortInUse,
}
