using EventHubThroughput.Processes;

namespace EventHubThroughput.Interop;

/// <summary>A script of a peer, in any language.</summary>
/// <param name="Interpreter">The full path of what runs it.</param>
/// <param name="Path">The script's full path. Its folder is where it runs.</param>
internal sealed record PeerScript(string Interpreter, string Path)
{
    // To an emulator on an address such as 127.3.4.5 no proxy leads, and few lists of exceptions name it.
    private static readonly string[] Proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

    /// <summary>Runs the script to its end.</summary>
    /// <param name="environment">Variables added to the script's environment.</param>
    /// <param name="timeout">After this the script is killed and the test fails.</param>
    /// <param name="cancellationToken">Kills the script.</param>
    public Task<FinishedProcess> RunAsync(IReadOnlyDictionary<string, string> environment, TimeSpan timeout, CancellationToken cancellationToken) =>
        RunningProcess.RunAsync(CommandWith(environment), timeout, cancellationToken);

    /// <summary>Starts the script, whose output the caller reads by the line.</summary>
    /// <param name="environment">Variables added to the script's environment.</param>
    public RunningProcess Start(IReadOnlyDictionary<string, string> environment) => RunningProcess.Start(CommandWith(environment) with { IsReadByLine = true });

    private ProcessCommand CommandWith(IReadOnlyDictionary<string, string> environment) =>
        new(Interpreter, Path)
        {
            Folder = System.IO.Path.GetDirectoryName(Path),
            Variables = environment,
            IsWithheld = static name => Proxies.Contains(name, StringComparer.Ordinal),
        };
}
