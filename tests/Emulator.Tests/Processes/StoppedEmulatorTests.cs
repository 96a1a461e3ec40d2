using System.Net;
using System.Net.Sockets;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.Processes;

/// <summary>The executable's end: by a signal, by its input, and when it could not start.</summary>
public sealed class StoppedEmulatorTests
{
    [Theory]
    [InlineData("TERM")]
    [InlineData("INT")]
    public async Task A_signal_ends_it_cleanly_from_its_first_line_on(string signal)
    {
        await using var emulator = await EmulatorProcess.StartAsync("--tls-port 0");
        await emulator.SignalAsync(signal);
        var (exitCode, error) = await emulator.EndAsync();
        Assert.Equal(0, exitCode);
        Assert.Contains("emulator ready", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Under_a_parent_it_ends_with_its_input_and_not_by_a_signal()
    {
        await using var emulator = await EmulatorProcess.StartAsync("--exit-with-stdin");
        await emulator.SignalAsync("INT");
        await emulator.SignalAsync("TERM");
        using (var client = new HttpClient())
        {
            Assert.Equal(
                "ready",
                (await client.GetStringAsync(new Uri(emulator.Settings["EMULATOR_ADMIN_URL"] + "/healthz"), TestContext.Current.CancellationToken)).Trim()
            );
        }

        emulator.CloseInput();
        Assert.Equal(0, (await emulator.EndAsync()).ExitCode);
    }

    [Fact]
    public async Task A_start_that_fails_does_not_wait_for_its_input()
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        var port = ((IPEndPoint)taken.LocalEndpoint).Port;
        await using var emulator = await EmulatorProcess.StartAsync($"--exit-with-stdin --servicebus-port {port}");
        var (exitCode, error) = await emulator.EndAsync();
        Assert.Equal((6, $"error: --servicebus-port {port}: in use. Use 0 for a free one"), (exitCode, error.Trim()));
    }
}
