using System.Text.Json;
using EventHubThroughput.Clients;
using EventHubThroughput.Processes;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>The logs of real programs.</summary>
public sealed class LogTests : IDisposable
{
    // Base64 of CANARY, again and again: a part of the key is enough to be found, and no encoding of addresses changes it.
    private const string Key = "Q0FOQVJZQ0FOQVJZQ0FOQVJZQ0FOQVJZQ0FOQVJZQ0FO";

    private static readonly string[] Secrets =
    [
        Key[..8],
        "CANARY",
        "SharedAccessKey=",
        "AccountKey=",
        "SharedAccessSignature sr",
        "sig=",
        "sig%3d",
        "SharedKey ",
        "SECRETBODY",
        "U0VDUkVUQk9EW",
    ];

    private readonly TemporaryFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Theory]
    [EachFamily]
    public async Task A_whole_run_at_trace_in_json_is_one_object_a_line_and_holds_no_secret_and_no_body(string clients)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var key = folder.File("key");
        await File.WriteAllTextAsync(key, Key, cancellationToken);
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(key, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        }

        var input = folder.File("events.jsonl");
        await File.WriteAllLinesAsync(input, Enumerable.Range(0, 60).Select(static i => $$"""{"number":{{i}},"text":"SECRETBODY"}"""), cancellationToken);
        const string Log = "--log-level trace --log-format json --trace-frames";
        await using var emulator = await EmulatorProcess.StartAsync($"--key-file {key} --partitions 1 {Log}", cancellationToken);
        var sent = await Programs.SenderAsync($"--clients={clients} --input {input} --quiet {Log}", emulator.Settings, cancellationToken);
        var run = await Programs.ConsumerAsync($"--clients={clients} --strategy=outloop --no-metrics {Log}", emulator.Settings, cancellationToken);
        var ended = await emulator.StopAsync(cancellationToken);
        Assert.True((sent.ExitCode, run.ExitCode, ended.ExitCode) == (0, 0, 0), sent.Error + run.Error + ended.Error);

        foreach (var (program, said) in (IEnumerable<(string, FinishedProcess)>)[("sender", sent), ("consumer", run), ("emulator", ended)])
        {
            var lines = said.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries);
            var logged = lines.Where(static line => line.StartsWith('{')).Select(static line => JsonDocument.Parse(line).RootElement).ToArray();
            Assert.All(logged, line => Assert.Equal(program, line.GetProperty("Program").GetString()));
            Assert.Contains(
                logged,
                line =>
                    line.GetProperty(GetExpected(clients, program).Member).GetString()!.Contains(GetExpected(clients, program).Text, StringComparison.Ordinal)
            );
            Assert.DoesNotContain(lines, static line => Secrets.Any(secret => line.Contains(secret, StringComparison.OrdinalIgnoreCase)));
        }

        Assert.Contains(
            clients == ClientFamily.Official ? "\"Category\":\"Azure.Messaging.ServiceBus\"" : "\"EventId\":1001",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.Contains("\"EventId\":1103", run.Error, StringComparison.Ordinal);
    }

    // The official clients show no frames, but what they trace of the hub.
    private static (string Member, string Text) GetExpected(string clients, string program) =>
        clients == ClientFamily.Official && program != "emulator" ? ("Category", "Azure.Messaging.EventHubs") : ("Message", "transfer(");

    [Fact]
    public async Task An_embedded_run_shows_the_lines_of_all_three_programs_among_its_own()
    {
        var run = await Programs.ConsumerAsync(
            "--clients=builtin --strategy=outloop --events 50 --profile none --no-metrics --log-level information --trace-frames",
            null,
            TestContext.Current.CancellationToken
        );
        Assert.True(run.ExitCode == 0, run.Error);
        var lines = run.Error.Split('\n');
        Assert.All(
            (string[])["consumer", "sender", "emulator"],
            program => Assert.Contains(lines, line => line.Contains($"Z {program} trce: EventHubThroughput.Frames[", StringComparison.Ordinal))
        );
        Assert.Contains(lines, static line => line.Contains("Z consumer info: EventHubThroughput.Clients.Connections[1001] ", StringComparison.Ordinal));
        Assert.DoesNotContain(lines, static line => line.Contains(" dbug: ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Official_clients_log_at_the_level_that_was_asked_for_and_warn_that_they_show_no_frames()
    {
        var run = await Programs.ConsumerAsync(
            "--strategy=outloop --events 50 --profile none --no-metrics --log-level information --trace-frames",
            null,
            TestContext.Current.CancellationToken
        );

        Assert.True(run.ExitCode == 0, run.Error);
        var lines = run.Error.Split('\n');
        Assert.Contains("warning: --trace-frames: the clients 'official' log no frames. --clients=builtin and the emulator do", lines);
        Assert.Contains(lines, static line => line.Contains("Z emulator trce: EventHubThroughput.Frames[", StringComparison.Ordinal));
        Assert.Contains(
            lines,
            static line => line.Contains("Z consumer info: EventHubThroughput.Clients.EventHubs[1103] partition 0: claimed", StringComparison.Ordinal)
        );
        Assert.DoesNotContain(lines, static line => line.Contains(" dbug: ", StringComparison.Ordinal));
    }

    [Theory]
    [EachFamily]
    public async Task A_run_without_a_log_option_prints_no_log_lines(string clients)
    {
        var run = await Programs.ConsumerAsync(
            $"--clients={clients} --strategy=outloop --events 50 --profile none --no-metrics",
            null,
            TestContext.Current.CancellationToken
        );
        Assert.True(run.ExitCode == 0, run.Error);
        Assert.DoesNotContain("EventHubThroughput.", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_error_of_a_failed_program_is_kept_beside_its_log()
    {
        var run = await Programs.ConsumerAsync(
            "--strategy=outloop --events 50 --no-metrics --log-level trace --trace-frames --profile fast",
            null,
            TestContext.Current.CancellationToken
        );
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("error: --profile 'fast': unknown", run.Error, StringComparison.Ordinal);
    }
}
