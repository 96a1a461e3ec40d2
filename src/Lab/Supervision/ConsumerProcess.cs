using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Telemetry.Logs;

namespace EventHubThroughput.Lab.Supervision;

/// <summary>Starts consumers as separate processes. Settings come by environment, options as a document on standard input. No text is parsed.</summary>
internal static class ConsumerProcess
{
    // A consumer is killed within seconds, and its diagnostic files for debuggers would stay on the disk.
    private static readonly KeyValuePair<string, string>[] ShortLived = [new("DOTNET_EnableDiagnostics", "0")];

    /// <summary>Starts a consumer that begins its work immediately.</summary>
    /// <param name="options">The options of the consumer.</param>
    /// <param name="environment">Its connection settings.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="said">Receives each line of its standard error. May be null.</param>
    public static ChildProcess Start(RunOptions options, IReadOnlyDictionary<string, string> environment, TimeProvider clock, Action<string>? said = null)
    {
        var process = StartWaiting(environment, options.Outputs.Log, clock, said);
        Give(process, options);
        return process;
    }

    /// <summary>Sends its options to a waiting consumer.</summary>
    public static void Give(ChildProcess process, RunOptions options) => process.Give(RunDocument.Write(options));

    /// <summary>Starts a consumer that waits for its options.</summary>
    /// <param name="environment">Its connection settings.</param>
    /// <param name="log">What it logs.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="said">Receives each line of its standard error. May be null.</param>
    /// <param name="measured">Whether it is measured. Then it is started like one that a user starts.</param>
    /// <param name="build">The folder of another build of this program, or null.</param>
    public static ChildProcess StartWaiting(
        IReadOnlyDictionary<string, string> environment,
        LogChoice log,
        TimeProvider clock,
        Action<string>? said = null,
        bool measured = false,
        string? build = null
    ) =>
        ChildProcess.Start(
            "consumer",
            ["run", "--settings", RunDocument.StandardInput],
            new Dictionary<string, string>([.. environment, .. log.Variables, .. measured ? [] : ShortLived], StringComparer.Ordinal),
            endsWithInput: false,
            clock,
            said,
            build
        );
}
