using EventHubThroughput.Processes;
using Xunit;

namespace EventHubThroughput.Testing;

internal static class Promtool
{
    private const string Program = "/usr/bin/promtool";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    /// <summary>Runs promtool; skips the test where it is absent, but fails where the peers are said to be installed.</summary>
    public static async Task<(int ExitCode, string Output)> RunAsync(string? input, params string[] arguments)
    {
        if (!File.Exists(Program))
        {
            Assert.SkipWhen(Environment.GetEnvironmentVariable("CI") != "true", $"{Program} is not installed (Debian: prometheus)");
            Assert.Fail($"{Program} is missing although CI=true.");
        }

        var cancellationToken = TestContext.Current.CancellationToken;
        await using var process = RunningProcess.Start(new ProcessCommand(Program, arguments));
        await process.WriteAsync(input ?? string.Empty, cancellationToken);
        process.CloseInput();
        var finished = await process.EndAsync(Limit, cancellationToken);
        return (finished.ExitCode, finished.Output + finished.Error);
    }
}
