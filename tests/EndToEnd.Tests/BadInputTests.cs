using System.Net;
using System.Net.Sockets;
using EventHubThroughput.Processes;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Input that only a service or a port can refuse. All other rows are in <see cref="BadInputTable"/>.</summary>
public sealed class BadInputTests
{
    [Fact]
    public async Task A_missing_or_forbidden_entity_of_the_service_ends_with_exit_code_4()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var emulator = await EmulatorProcess.StartAsync("", cancellationToken);

        await ExpectAsync(("EVENTHUB_NAME", "nohub"), "nohub");
        await ExpectAsync(("SERVICEBUS_QUEUE", "noqueue"), "noqueue");
        await ExpectAsync(("CHECKPOINT_CONTAINER", "nocontainer"), "nocontainer");
        await ExpectAsync(("STORAGE_CONTAINER", "noarchive"), "noarchive");
        var wrongKey = System.Text.RegularExpressions.Regex.Replace(
            emulator.Settings["EVENTHUB_CONNECTION_STRING"],
            "SharedAccessKey=[^;]+",
            "SharedAccessKey=d3Jvbmcta2V5",
            System.Text.RegularExpressions.RegexOptions.None,
            TimeSpan.FromSeconds(1)
        );
        await ExpectAsync(("EVENTHUB_CONNECTION_STRING", wrongKey), "not authorized");

        async Task ExpectAsync((string Name, string Value) change, string expected)
        {
            var settings = new Dictionary<string, string>(emulator.Settings) { [change.Name] = change.Value };
            await Programs.SenderAsync("--count 5", emulator.Settings, cancellationToken);
            var run = await Programs.ConsumerAsync("--strategy=outloop --no-metrics", settings, cancellationToken);
            Assert.True(run.ExitCode == 4, $"{change.Name}: exit code {run.ExitCode}: {run.Error}");
            Assert.Contains(expected, AssertError(run), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_port_in_use_ends_with_exit_code_6()
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        var port = ((IPEndPoint)taken.LocalEndpoint).Port;
        var emulator = await Programs.RunAsync("emulator", $"--servicebus-port {port}", null, TestContext.Current.CancellationToken);
        AssertOneLine(emulator, 6, $"error: --servicebus-port {port}: in use. Use 0 for a free one");
        var consumer = await Programs.ConsumerAsync($"--strategy=outloop --metrics-port {port}", null, TestContext.Current.CancellationToken);
        Assert.Equal(6, consumer.ExitCode);
        Assert.Contains($"--metrics-port {port}", AssertError(consumer), StringComparison.Ordinal);
    }

    private static string AssertError(FinishedProcess run)
    {
        Assert.DoesNotContain("   at ", run.Error, StringComparison.Ordinal);
        return Assert.Single(run.Error.Split('\n'), line => line.StartsWith("error:", StringComparison.Ordinal));
    }

    private static void AssertOneLine(FinishedProcess run, int exitCode, string expected)
    {
        Assert.Equal((exitCode, expected), (run.ExitCode, run.Error.Trim()));
    }
}
