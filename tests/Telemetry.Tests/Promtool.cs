using System.Diagnostics;
using Xunit;

namespace EventHubThroughput.Testing;

internal static class Promtool
{
    private const string Program = "/usr/bin/promtool";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    /// <summary>Runs promtool. Skips the test where it is absent, but fails where the peers should be installed.</summary>
    public static async Task<(int ExitCode, string Output)> RunAsync(string? input, params string[] arguments)
    {
        if (!File.Exists(Program))
        {
            Assert.SkipWhen(Environment.GetEnvironmentVariable("CI") != "true", $"{Program} is not installed (Debian: prometheus)");
            Assert.Fail($"{Program} is missing although CI=true.");
        }

        using var limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(Limit);
        using var process = Process.Start(
            new ProcessStartInfo(Program, arguments)
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                UseShellExecute = false,
            }
        )!;
        try
        {
            var output = process.StandardOutput.ReadToEndAsync(limit.Token);
            var error = process.StandardError.ReadToEndAsync(limit.Token);
            await process.StandardInput.WriteAsync(input.AsMemory(), limit.Token);
            process.StandardInput.Close();
            await process.WaitForExitAsync(limit.Token);
            return (process.ExitCode, await output + await error);
        }
        finally
        {
            process.Kill();
        }
    }
}
