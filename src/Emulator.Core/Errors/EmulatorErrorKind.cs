namespace EventHubThroughput.Emulator;

/// <summary>The reason why an emulator did not start.</summary>
public enum EmulatorErrorKind
{
    /// <summary>A setting, or a file that it names, is invalid.</summary>
    InvalidInput,

    /// <summary>Stored data of an earlier run is damaged, or contradicts the request.</summary>
    InconsistentData,

    /// <summary>A file or folder cannot be written.</summary>
    NotWritable,

    /// <summary>A port is in use, or this user may not listen on it.</summary>
    PortInUse,
}
