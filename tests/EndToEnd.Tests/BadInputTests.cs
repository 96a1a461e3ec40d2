using System.Net;
using System.Net.Sockets;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Input that only a service or a port can refuse; all other rows stand in <see cref="BadInputTable"/>.</summary>
public sealed class BadInputTests
{
    [Fact]
    public async Task An_unreachable_host_ends_both_programs_with_exit_code_4()
    {
        Finished consumer = await Programs.ConsumerAsync("--strategy=outloop --no-metrics", Unreachable(), TestContext.Current.CancellationToken);
        Assert.Equal(4, consumer.ExitCode);
        Assert.Contains("127.0.0.1", AssertError(consumer), StringComparison.Ordinal);
        Finished sender = await Programs.SenderAsync("--count 5", Unreachable(), TestContext.Current.CancellationToken);
        Assert.Equal(4, sender.ExitCode);
        Assert.Contains("127.0.0.1", AssertError(sender), StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_does_not_exist_or_is_not_allowed_on_the_service_ends_with_exit_code_4()
    {
        CancellationToken cancellationToken = TestContext.Current.CancellationToken;
        await using EmulatorProcess emulator = await EmulatorProcess.StartAsync("", cancellationToken);

        await ExpectAsync(("EVENTHUB_NAME", "nohub"), "nohub");
        await ExpectAsync(("SERVICEBUS_QUEUE", "noqueue"), "noqueue");
        await ExpectAsync(("CHECKPOINT_CONTAINER", "nocontainer"), "nocontainer");
        await ExpectAsync(("STORAGE_CONTAINER", "noarchive"), "noarchive");
        string wrongKey = System.Text.RegularExpressions.Regex.Replace(
            emulator.Settings["EVENTHUB_CONNECTION_STRING"],
            "SharedAccessKey=[^;]+",
            "SharedAccessKey=d3Jvbmcta2V5",
            System.Text.RegularExpressions.RegexOptions.None,
            TimeSpan.FromSeconds(1)
        );
        await ExpectAsync(("EVENTHUB_CONNECTION_STRING", wrongKey), "not authorised");

        async Task ExpectAsync((string Name, string Value) change, string expected)
        {
            Dictionary<string, string> settings = new(emulator.Settings) { [change.Name] = change.Value };
            await Programs.SenderAsync("--count 5", emulator.Settings, cancellationToken);
            Finished run = await Programs.ConsumerAsync("--strategy=outloop --no-metrics", settings, cancellationToken);
            Assert.True(run.ExitCode == 4, $"{change.Name}: exit code {run.ExitCode}: {run.Error}");
            Assert.Contains(expected, AssertError(run), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_port_in_use_ends_with_exit_code_6()
    {
        using TcpListener taken = new(IPAddress.Loopback, 0);
        taken.Start();
        int port = ((IPEndPoint)taken.LocalEndpoint).Port;
        Finished emulator = await Programs.RunAsync("emulator", $"--servicebus-port {port}", null, TestContext.Current.CancellationToken);
        AssertOneLine(emulator, 6, $"error: --servicebus-port {port}: in use; use 0 for a free one");
        Finished consumer = await Programs.ConsumerAsync($"--strategy=outloop --metrics-port {port}", null, TestContext.Current.CancellationToken);
        Assert.Equal(6, consumer.ExitCode);
        Assert.Contains($"--metrics-port {port}", AssertError(consumer), StringComparison.Ordinal);
    }

    private static Dictionary<string, string> Unreachable()
    {
        using TcpListener free = new(IPAddress.Loopback, 0);
        free.Start();
        int port = ((IPEndPoint)free.LocalEndpoint).Port;
        return new Dictionary<string, string>
        {
            ["EVENTHUB_CONNECTION_STRING"] = $"Endpoint=sb://127.0.0.1:{port};SharedAccessKeyName=k;SharedAccessKey=czE=;UseDevelopmentEmulator=true",
            ["EVENTHUB_NAME"] = "hub",
            ["SERVICEBUS_CONNECTION_STRING"] = $"Endpoint=sb://127.0.0.1:{port};SharedAccessKeyName=k;SharedAccessKey=czE=;UseDevelopmentEmulator=true",
            ["SERVICEBUS_QUEUE"] = "queue",
            ["STORAGE_CONNECTION_STRING"] =
                $"DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=czE=;BlobEndpoint=http://127.0.0.1:{port}/devstoreaccount1;",
        };
    }

    private static string AssertError(Finished run)
    {
        Assert.DoesNotContain("   at ", run.Error, StringComparison.Ordinal);
        return Assert.Single(run.Error.Split('\n'), line => line.StartsWith("error:", StringComparison.Ordinal));
    }

    private static void AssertOneLine(Finished run, int exitCode, string expected)
    {
        Assert.Equal((exitCode, expected), (run.ExitCode, run.Error.Trim()));
    }
}
