namespace EventHubThroughput.Settings;

/// <summary>Why a command cannot go on. Each cause has its exit code (<see cref="ExitCode"/>).</summary>
public enum FailureCause
{
    /// <summary>What the user gave cannot be used.</summary>
    Input,

    /// <summary>A service or a program that is needed does not answer, or refuses.</summary>
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
