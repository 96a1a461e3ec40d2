using System.Diagnostics;

namespace EventHubThroughput.Interop;

/// <summary>How a script ended and what it wrote.</summary>
internal sealed record PeerScriptResult(int ExitCode, string Output, string Error);

/// <summary>A script of a peer, in whatever language.</summary>
/// <param name="Interpreter">The full path of what runs it.</param>
/// <param name="Path">The script's full path; its folder is where it runs.</param>
internal sealed record PeerScript(string Interpreter, string Path)
{
    // To an emulator on an address such as 127.3.4.5 no proxy leads, and few lists of exceptions name it.
    private static readonly string[] Proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

    /// <summary>Runs the script to its end.</summary>
    /// <param name="environment">Variables added to the script's environment.</param>
    /// <param name="timeout">After this the script is killed and the test fails.</param>
    /// <param name="cancellationToken">Kills the script.</param>
    public async Task<PeerScriptResult> RunAsync(IReadOnlyDictionary<string, string> environment, TimeSpan timeout, CancellationToken cancellationToken)
    {
        ProcessStartInfo start = new(Interpreter, [Path])
        {
            WorkingDirectory = System.IO.Path.GetDirectoryName(Path),
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        foreach (string proxy in Proxies)
        {
            start.Environment.Remove(proxy);
        }

        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        using CancellationTokenSource limit = new(timeout, TimeProvider.System);
        using CancellationTokenSource either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        using Process process = Process.Start(start)!;
        process.StandardInput.Close();

        // Both streams are read to their ends, which a killed process closes as well.
        Task<string> output = process.StandardOutput.ReadToEndAsync(CancellationToken.None);
        Task<string> error = process.StandardError.ReadToEndAsync(CancellationToken.None);
        try
        {
            await process.WaitForExitAsync(either.Token);
        }
        catch (OperationCanceledException exception)
        {
            process.Kill(entireProcessTree: true);
            string[] words = await Task.WhenAll(output, error);
            cancellationToken.ThrowIfCancellationRequested();
            throw new TimeoutException($"{Path} ran longer than {timeout}\n{string.Join('\n', words)}", exception);
        }

        return new PeerScriptResult(process.ExitCode, await output, await error);
    }
}
