namespace EventHubThroughput.Verification;

/// <summary>What judging may use of the machine. The verdict does not depend on it.</summary>
public sealed record VerifierResources
{
    /// <summary>Bytes in memory for sorting. The rest of the verifier needs a few megabytes. Default 64 MiB.</summary>
    public long SortingBytes { get; init; } = 64L * 1024 * 1024;

    /// <summary>The folder of temporary files, if that is not enough: about 700 bytes for each event. Default: the system's.</summary>
    public string TemporaryFolder { get; init; } = Path.GetTempPath();
}
