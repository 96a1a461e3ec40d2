using System.Diagnostics;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>How a script ended and what it wrote.</summary>
internal sealed record NodeScriptResult(int ExitCode, string Output, string Error)
{
    /// <summary>Fails the test with the script's own words unless it ended well.</summary>
    public NodeScriptResult EnsureSuccess()
    {
        Assert.True(ExitCode == 0, $"exit code {ExitCode}\n{Output}\n{Error}");
        return this;
    }
}

/// <summary>Runs the scripts of tests/Interop/js, which speak through the official SDKs.</summary>
internal static class NodeScript
{
    /// <summary>Runs a script to its end.</summary>
    /// <param name="script">The file's name in tests/Interop/js.</param>
    /// <param name="packages">Packages that must be installed, else the test is skipped.</param>
    /// <param name="environment">Variables added to the script's environment.</param>
    /// <param name="timeout">After this the script is killed and the test fails.</param>
    /// <param name="cancellationToken">Kills the script.</param>
    public static async Task<NodeScriptResult> RunAsync(
        string script, string[] packages, IReadOnlyDictionary<string, string> environment, TimeSpan timeout, CancellationToken cancellationToken)
    {
        ProcessStartInfo start = new(Peers.RequireNode(packages), [Path.Combine(Peers.ScriptFolder, script)])
        {
            WorkingDirectory = Peers.ScriptFolder,
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
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
            throw new TimeoutException($"{script} ran longer than {timeout}\n{string.Join('\n', words)}", exception);
        }

        return new NodeScriptResult(process.ExitCode, await output, await error);
    }
}
