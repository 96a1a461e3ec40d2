namespace EventHubThroughput.Settings;

/// <summary>Why a command cannot continue. Each cause has its exit code (<see cref="ExitCode"/>).</summary>
public enum FailureCause
{
    /// <summary>An input of the user is invalid.</summary>
    Input,

    /// <summary>A required service or program does not answer, or refuses.</summary>
    Dependency,

    /// <summary>The evidence of a run is missing or cannot be read.</summary>
    Verification,

    /// <summary>A file cannot be written.</summary>
    NotWritable,

    /// <summary>A port is in use.</summary>
    PortInUse,

    /// <summary>The user stopped it.</summary>
    Interrupted,
}
