using System.Globalization;
using System.Net.Sockets;
using System.Text.RegularExpressions;
using EventHubThroughput.Processes;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Standard streams that are full or closed, and processes that may open few files: a line and a documented code, never a crash.</summary>
public sealed partial class StandardStreamTests
{
    private const string Run = "consumer --no-metrics --events 20 --profile none";
    private const string BuiltIn = " --clients=builtin";
    private const string Full = "error: standard output: cannot be written: No space left on device";
    private const string Closed = "error: standard output: is closed. Write to /dev/null to discard it";

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("emulator", ">/dev/full", Full)]
    [InlineData("emulator --help", ">/dev/full", Full)]
    [InlineData("emulator --version", ">/dev/full", Full)]
    [InlineData("sender --help", ">/dev/full", Full)]
    [InlineData(Run, ">/dev/full", Full)]
    [InlineData(Run + BuiltIn, ">/dev/full", Full)]
    [InlineData("emulator", ">&-", Closed)]
    [InlineData("emulator --help", ">&-", Closed)]
    [InlineData("sender --count 3", ">&-", Closed)]
    [InlineData(Run, ">&-", Closed)]
    [InlineData(Run + BuiltIn, ">&-", Closed)]
    [InlineData("consumer supervise --cycles 1", ">&-", Closed)]
    public async Task An_unreadable_output_ends_with_5(string command, string redirection, string line)
    {
        var finished = await ShellAsync($"{command} {redirection}");

        Assert.True(finished.ExitCode == 5, $"{finished.ExitCode}: {finished.Error}");
        Assert.Equal(line, Assert.Single(finished.Error.Split('\n'), static said => said.StartsWith("error:", StringComparison.Ordinal)));
    }

    [Theory]
    [EachFamily]
    public async Task The_outcome_is_printed_all_the_same_and_results_are_written(string clients)
    {
        using var folder = new TemporaryFolder();

        var finished = await ShellAsync($"{Run} --clients={clients} --output {folder.File("results.json")} >/dev/full");

        Assert.Contains("\nverdict: clean", finished.Error, StringComparison.Ordinal);
        Assert.True(File.Exists(folder.File("results.json")));
    }

    [Theory]
    [EachFamily]
    public async Task A_sender_reports_on_standard_error_when_standard_output_is_full(string clients)
    {
        await using var emulator = await EmulatorProcess.StartAsync("", Cancellation);

        var finished = await ShellAsync($"sender --clients={clients} --count 5 --run full >/dev/full", emulator.Settings);

        Assert.True(finished.ExitCode == 5, finished.Error);
        Assert.Contains($"{Full}\nrun full: 5 of 5 events acknowledged", finished.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("emulator --bogus 2>/dev/full", 2)]
    [InlineData("emulator --bogus 2>&-", 2)]
    [InlineData(Run + " 2>/dev/full", 0)]
    [InlineData(Run + BuiltIn + " 2>/dev/full", 0)]
    [InlineData(Run + " 2>&- <&-", 0)]
    [InlineData(Run + BuiltIn + " 2>&- <&-", 0)]
    [InlineData("emulator --exit-with-stdin <&-", 0)]
    public async Task Nothing_else_depends_on_the_other_streams(string command, int exitCode)
    {
        var finished = await ShellAsync(command);

        Assert.Equal(exitCode, finished.ExitCode);
    }

    [Theory]
    [InlineData("emulator", "emulator")]
    [InlineData("emulator", "emulator --help")]
    [InlineData("sender", "sender --count 3")]
    [InlineData("consumer", Run)]
    [InlineData("consumer", "consumer verify --ledger x")]
    [InlineData("consumer", "consumer supervise")]
    public async Task Few_descriptors_are_refused_before_anything_is_started(string program, string command)
    {
        foreach (var limit in (int[])[40, 60, 100])
        {
            var finished = await ShellAsync($"ulimit -n {limit}; exec {AppContext.BaseDirectory}{command}");

            Assert.Equal((2, ""), (finished.ExitCode, finished.Output));
            var said = Refusal().Match(finished.Error);
            Assert.True(said.Success, finished.Error);
            Assert.Equal((program, limit.ToString(CultureInfo.InvariantCulture)), (said.Groups["program"].Value, said.Groups["limit"].Value));
        }
    }

    [Fact]
    public async Task An_emulator_with_few_descriptors_outlives_more_connections_than_it_can_hold()
    {
        const int Crowd = 500;
        await using var emulator = Programs.Start("/bin/sh", $"-c \"ulimit -n 250; exec {AppContext.BaseDirectory}emulator\"", null, byLine: true);
        var settings = (await emulator.ReadLineAsync(Cancellation))!;
        foreach (var port in Ports().Matches(settings).Select(static match => int.Parse(match.Groups["port"].Value, CultureInfo.InvariantCulture)).Distinct())
        {
            List<TcpClient> crowd = [];
            try
            {
                for (var number = 0; number < Crowd; number++)
                {
                    var peer = new TcpClient();
                    crowd.Add(peer);
                    await SpeakAsync(peer, port);
                }
            }
            finally
            {
                crowd.ForEach(static peer => peer.Dispose());
            }
        }

        var named = System.Text.Json.JsonSerializer.Deserialize<Dictionary<string, string>>(settings)!;
        var sent = await Programs.SenderAsync("--count 5 --quiet", named, Cancellation);
        Assert.True(sent.ExitCode == 0, string.Join('\n', [sent.Error, .. emulator.LastErrors()]));
        await emulator.SignalAsync("TERM");
        var ended = await emulator.EndAsync(Cancellation);
        Assert.True(ended.ExitCode == 0, ended.Error);
    }

    private static async Task SpeakAsync(TcpClient peer, int port)
    {
        try
        {
            await peer.ConnectAsync("127.0.0.1", port, Cancellation);
            await peer.GetStream().WriteAsync("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"u8.ToArray(), Cancellation);
        }
        catch (Exception refused) when (refused is IOException or SocketException)
        {
            // One too many: turned away while it connects, or once it speaks.
        }
    }

    private static Task<FinishedProcess> ShellAsync(string command, IReadOnlyDictionary<string, string>? settings = null)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "devices and limits of Linux");
        var line = command.StartsWith("ulimit", StringComparison.Ordinal) ? command : $"exec {AppContext.BaseDirectory}{command}";
        return Programs.RunAsync("/bin/sh", $"-c \"{line}\"", settings, Cancellation);
    }

    [GeneratedRegex(
        @"^error: (?<program>\w+) needs about \d+ file descriptors, the limit is (?<limit>\d+). Raise it with ulimit -n\n$",
        RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 1000
    )]
    private static partial Regex Refusal();

    [GeneratedRegex(@"//127\.0\.0\.1:(?<port>\d+)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Ports();
}
