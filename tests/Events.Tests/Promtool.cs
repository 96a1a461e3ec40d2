using System.Diagnostics;
using Xunit;

namespace EventHubThroughput.Testing;

internal static class Promtool
{
    private const string Program = "/usr/bin/promtool";

    /// <summary>Runs promtool; skips the test where it is absent, but fails where the peers are said to be installed.</summary>
    public static async Task<(int ExitCode, string Output)> RunAsync(string? input, params string[] arguments)
    {
        if (!File.Exists(Program))
        {
            Assert.SkipWhen(Environment.GetEnvironmentVariable("CI") != "true", $"{Program} is not installed (Debian: prometheus)");
            Assert.Fail($"{Program} is missing although CI=true.");
        }

        var cancellationToken = TestContext.Current.CancellationToken;
        using var process = Process.Start(
            new ProcessStartInfo(Program, arguments)
            {
                UseShellExecute = false,
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            }
        )!;
        var output = process.StandardOutput.ReadToEndAsync(cancellationToken);
        var error = process.StandardError.ReadToEndAsync(cancellationToken);
        await process.StandardInput.WriteAsync(input.AsMemory(), cancellationToken);
        process.StandardInput.Close();
        await process.WaitForExitAsync(cancellationToken);
        return (process.ExitCode, await output + await error);
    }
}
