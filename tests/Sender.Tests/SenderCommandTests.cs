using System.Text.Json;
using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Journal;
using EventHubThroughput.Testing;
using EventHubThroughput.Workload;
using Xunit;

namespace EventHubThroughput.Sender.Tests;

public sealed class SenderCommandTests : IDisposable
{
    private const string Connection = "Endpoint=sb://127.0.0.1:5672;SharedAccessKeyName=name;SharedAccessKey=canary;UseDevelopmentEmulator=true";

    private readonly TemporaryFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task Generated_events_are_sent_and_summed_up()
    {
        var writer = new RecordingWriter();

        var (exitCode, output, error) = await RunAsync(
            writer,
            "--count",
            "300",
            "--size",
            "200",
            "--keys",
            "3",
            "--run",
            "r",
            "--ledger",
            folder.GetPath("ledger")
        );

        Assert.Equal(0, exitCode);
        Assert.StartsWith("run r: 300 of 300 events acknowledged by 'hub' in ", output, StringComparison.Ordinal);
        Assert.EndsWith(", 0 failed, 0 unknown\n", output, StringComparison.Ordinal);
        Assert.StartsWith("achieved ", error, StringComparison.Ordinal);
        Assert.Equal(300, writer.Events.Count());
        Assert.All(writer.Events, sent => Assert.Equal((200, "application/json"), (sent.Body.Length, sent.ContentType)));
        Assert.Equal(300, LedgerReader.Read(folder.GetPath("ledger")).Count());
    }

    [Fact]
    public async Task Sizes_are_mixed_and_the_achieved_rate_is_reported_beside_the_intended_one()
    {
        var writer = new RecordingWriter();

        var (exitCode, _, error) = await RunAsync(writer, "--count", "1", "--rate", "10,20@1s", "--size", "64:1", "--quiet");

        // The clock is paused here, and a millisecond is the least that is reported.
        Assert.Equal((0, "achieved 1,000.0 of 10.0 events/s, at most 0.000 s after the scheduled send time\n"), (exitCode, error));
        Assert.Equal(64, Assert.Single(writer.Events).Body.Length);
    }

    [Fact]
    public async Task The_summary_can_be_one_line_of_JSON()
    {
        var (exitCode, output, error) = await RunAsync(new RecordingWriter(), "--count", "1", "--run", "r", "--rate", "10", "--summary", "json", "--quiet");

        Assert.Equal((0, ""), (exitCode, error));
        var figures = SentFigures.Read(Assert.Single(output.Split('\n', StringSplitOptions.RemoveEmptyEntries)));
        Assert.Equal(("r", "hub", 1, 1, 0), (figures.Run, figures.Hub, figures.Intended, figures.Acknowledged, figures.Failed + figures.Unknown));
        Assert.Equal((10.0, 0.0), (figures.IntendedPerS, figures.MostLateMs));
    }

    [Fact]
    public async Task A_file_is_replayed()
    {
        var writer = new RecordingWriter();
        var path = folder.Write("x.jsonl", "{\"net\":\"a\"}\n{\"net\":\"b\"}\n{\"net\":\"a\"}\n"u8);

        var (exitCode, _, _) = await RunAsync(writer, "--input", path, "--key-field", "net", "--quiet");

        Assert.Equal(0, exitCode);
        Assert.Equal([("a", 2), ("b", 1)], writer.Sent.GroupBy(batch => batch.Key).Select(key => (key.Key, key.Sum(batch => batch.Events.Count))).Order());
    }

    [Fact]
    public async Task Two_runs_have_different_names()
    {
        var first = await RunAsync(new RecordingWriter(), "--count", "1");
        var second = await RunAsync(new RecordingWriter(), "--count", "1");

        Assert.NotEqual(first.Output.Split(':')[0], second.Output.Split(':')[0]);
    }

    [Theory]
    [InlineData("error: --count 0: out of range, allowed 1 to 1000000000000\n", "--count", "0")]
    [InlineData("error: --key-field: only with --input\n", "--key-field", "net")]
    [InlineData("error: --size: for generated events only, not with --input\n", "--size", "5", "--input", "x.jsonl")]
    [InlineData("error: --partition: cannot be combined with --keys, because a key decides the partition\n", "--partition", "3", "--keys", "5")]
    [InlineData("error: --conut: unknown option, did you mean '--count'?\n", "--conut", "5")]
    [InlineData("error: missing.jsonl: not found\n", "--input", "missing.jsonl")]
    public async Task Wrong_usage_ends_with_2_and_sends_nothing(string expected, params string[] args)
    {
        var writer = new RecordingWriter();

        var (exitCode, output, error) = await RunAsync(writer, args);

        Assert.Equal((2, string.Empty, expected), (exitCode, output, error));
        Assert.Empty(writer.Sent);
    }

    [Fact]
    public async Task Without_settings_the_variable_is_named()
    {
        var (exitCode, _, error) = await RunAsync(new RecordingWriter(), [], environment: _ => null);

        Assert.Equal((2, "error: EVENTHUB_CONNECTION_STRING: not set (the emulator prints it)\n"), (exitCode, error));
    }

    [Fact]
    public async Task Problems_of_settings_and_file_are_listed_together_and_without_values()
    {
        var (exitCode, _, error) = await RunAsync(
            new RecordingWriter(),
            ["--input", "missing.jsonl"],
            environment: name =>
                name switch
                {
                    "EVENTHUB_CONNECTION_STRING" => "SharedAccessKeyName=name;SharedAccessKey=canary",
                    "EVENTHUB_NAME" => "hub",
                    _ => null,
                }
        );

        Assert.Equal(2, exitCode);
        Assert.Equal("error: EVENTHUB_CONNECTION_STRING: 'Endpoint' missing\nerror: missing.jsonl: not found\n", error);
    }

    [Theory]
    [InlineData(FailureKind.NotFound, "event hub 'hub' not found")]
    [InlineData(FailureKind.Unauthorized, "not authorized for 'hub'")]
    [InlineData(FailureKind.Unreachable, "event hubs 127.0.0.1:5672 unreachable for 30 s")]
    public async Task A_dependency_that_refuses_ends_with_4(FailureKind kind, string message)
    {
        var writer = new RecordingWriter();

        var (exitCode, _, error) = await RunAsync(writer, ["--count", "5"], failure: new MessagingException(kind, message));

        Assert.Equal((4, $"error: {message}\n"), (exitCode, error));
        Assert.Empty(writer.Sent);
    }

    [Fact]
    public async Task Refused_events_end_with_4_and_are_counted()
    {
        var (exitCode, output, error) = await RunAsync(new RecordingWriter { SizeLimit = 10 }, "--count", "3", "--quiet");

        Assert.Equal(4, exitCode);
        Assert.Contains("3 failed, 0 unknown", output, StringComparison.Ordinal);
        Assert.EndsWith("error: not every event was acknowledged: 3 refused, 0 without an answer\n", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_ledger_that_cannot_be_written_ends_with_5_before_anything_is_sent()
    {
        var writer = new RecordingWriter();

        var (exitCode, _, error) = await RunAsync(writer, "--ledger", folder.GetPath("missing/ledger"));

        Assert.Equal(5, exitCode);
        Assert.StartsWith(
            $"error: --ledger {folder.GetPath("missing/ledger")}: cannot be written: folder {folder.GetPath("missing")} does not exist\n",
            error,
            StringComparison.Ordinal
        );
        Assert.Empty(writer.Sent);
    }

    [Fact]
    public async Task A_stop_ends_with_0_and_reports_the_events_that_were_not_tried()
    {
        using var stop = new CancellationTokenSource();
        var writer = new RecordingWriter { OnSend = (number, _) => number == 3 ? stop.CancelAsync() : Task.CompletedTask };

        var (exitCode, output, _) = await RunAsync(
            writer,
            ["--count", "100000", "--keys", "1", "--batch", "10", "--ledger", folder.GetPath("ledger")],
            stop: stop.Token
        );

        Assert.Equal(0, exitCode);
        var sent = writer.Events.Count();
        Assert.InRange(sent, 4, 40);
        Assert.Contains($" {sent} of 100,000 events acknowledged", output, StringComparison.Ordinal);
        Assert.EndsWith($", {100_000 - sent:N0} not tried\n", output, StringComparison.Ordinal);
        Assert.Equal(sent, LedgerReader.Read(folder.GetPath("ledger")).Count());
    }

    private static Task<(int ExitCode, string Output, string Error)> RunAsync(RecordingWriter writer, params string[] args) =>
        RunAsync(writer, args, failure: null);

    [Fact]
    public async Task Settings_may_come_as_a_line_of_its_input()
    {
        var writer = new RecordingWriter();
        var line = JsonSerializer.Serialize(
            new Dictionary<string, string>(StringComparer.Ordinal) { ["EVENTHUB_CONNECTION_STRING"] = Connection, ["EVENTHUB_NAME"] = "hub" }
        );

        var (exitCode, output, error) = await RunAsync(writer, ["--count", "3", "--settings-from-input"], environment: static _ => null, input: line);

        Assert.Equal((0, true), (exitCode, output.Contains("3 of 3 events acknowledged", StringComparison.Ordinal)));
        Assert.DoesNotContain("error", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("null")]
    [InlineData("secret text")]
    [InlineData("[1]")]
    public async Task Input_without_settings_is_refused_and_not_repeated(string? line)
    {
        var (exitCode, _, error) = await RunAsync(new RecordingWriter(), ["--settings-from-input"], environment: static _ => null, input: line);

        Assert.Equal(2, exitCode);
        Assert.Contains("--settings-from-input", error, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", error, StringComparison.Ordinal);
    }

    private static async Task<(int ExitCode, string Output, string Error)> RunAsync(
        RecordingWriter writer,
        string[] args,
        MessagingException? failure = null,
        Func<string, string?>? environment = null,
        CancellationToken? stop = null,
        string? input = null
    )
    {
        await using var output = new StringWriter { NewLine = "\n" };
        await using var error = new StringWriter { NewLine = "\n" };
        var console = new CommandConsole(output, error, environment ?? Settings);
        var clock = new VirtualClock();
        var command = SenderCommand.Create(
            console,
            (_, _, _) => new RecordingClients(writer, failure),
            () => new ProgressLines(error, clock),
            clock,
            () => input
        );
        var exitCode = await CommandHost.RunAsync(command, args, console, stop ?? TestContext.Current.CancellationToken);
        return (exitCode, output.ToString(), error.ToString());
    }

    private static string? Settings(string name) =>
        name switch
        {
            "EVENTHUB_CONNECTION_STRING" => Connection,
            "EVENTHUB_NAME" => "hub",
            _ => null,
        };
}
