using EventHubThroughput.Settings;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Processes.Tests;

public sealed class RunningProcessTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(1);

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_process_that_has_ended_leaves_its_exit_code_and_both_outputs()
    {
        var finished = await RunningProcess.RunAsync(Shell("echo out; echo first >&2; echo second >&2; exit 3"), Limit, Cancellation);

        Assert.Equal(new FinishedProcess(3, "out\n", "first\nsecond\n"), finished);
    }

    [Fact]
    public void A_program_that_does_not_exist_is_a_failed_dependency() =>
        Assert.StartsWith(
            "missing cannot be started: ",
            Assert.Throws<FailureException>(static () => RunningProcess.Start(new ProcessCommand("/no/such/folder/missing"))).Message,
            StringComparison.Ordinal
        );

    [Fact]
    public async Task Variables_are_added_and_withheld_by_name()
    {
        var command = Shell("echo \"$ADDED ${HOME-none}\"") with { IsWithheld = static name => name == "HOME" };

        var finished = await RunningProcess.RunAsync(
            command with
            {
                Variables = new Dictionary<string, string>(StringComparer.Ordinal) { ["ADDED"] = "added" },
            },
            Limit,
            Cancellation
        );

        Assert.Equal("added none\n", finished.Output);
    }

    [Fact]
    public async Task Only_the_last_lines_of_its_errors_are_kept_and_none_that_is_taken()
    {
        var command = Shell("for i in 1 2 3 4 5; do echo $i >&2; done") with { KeptErrors = 2, TakeError = static line => line == "4" };

        Assert.Equal("3\n5\n", (await RunningProcess.RunAsync(command, Limit, Cancellation)).Error);
    }

    [Fact]
    public async Task A_line_that_was_written_already_counts_and_one_that_never_comes_is_an_error()
    {
        await using var process = RunningProcess.Start(Shell("echo ready >&2; cat"));
        await process.WaitForOutputAsync("ready", Cancellation);
        await process.WaitForOutputAsync("ready", Cancellation);
        process.CloseInput();

        var refused = await Assert.ThrowsAsync<InvalidOperationException>(() => process.WaitForOutputAsync("another", Cancellation));

        Assert.Equal("sh has ended without the line 'another': ready\n", refused.Message);
    }

    [Fact]
    public async Task Input_reaches_it_and_its_output_is_read_by_line()
    {
        await using var process = RunningProcess.Start(Shell("cat") with { IsReadByLine = true });
        await process.WriteAsync("one\ntwo\n", Cancellation);

        Assert.Equal("one", await process.ReadLineAsync(Cancellation));
        Assert.Equal("two", await process.ReadLineAsync(Cancellation));
        process.CloseInput();
        Assert.Null(await process.ReadLineAsync(Cancellation));
    }

    [Fact]
    public async Task A_process_that_takes_too_long_is_ended_by_force()
    {
        var clock = new VirtualClock();
        await using var process = RunningProcess.Start(Shell("echo ready >&2; cat") with { Clock = clock });
        await process.WaitForOutputAsync("ready", Cancellation);
        var ending = process.EndAsync(TimeSpan.FromSeconds(5), Cancellation);

        clock.Advance(TimeSpan.FromSeconds(5));

        Assert.Contains("did not end in 00:00:05: ready", (await Assert.ThrowsAsync<TimeoutException>(() => ending)).Message, StringComparison.Ordinal);
        Assert.True(process.HasEnded);
    }

    [Fact]
    public async Task A_process_that_reads_the_end_of_its_input_stops_by_itself()
    {
        await using var process = RunningProcess.Start(Shell("cat; exit 5"));

        await process.StopAsync(Limit);

        Assert.Equal(5, process.ExitCode);
    }

    [Fact]
    public async Task A_signal_reaches_it()
    {
        await using var process = RunningProcess.Start(Shell("trap 'exit 9' TERM; echo ready >&2; read line"));
        await process.WaitForOutputAsync("ready", Cancellation);

        await process.SignalAsync("TERM");

        Assert.Equal(9, (await process.EndAsync(Limit, Cancellation)).ExitCode);
    }

    private static ProcessCommand Shell(string script)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "a shell of POSIX is needed");
        return new ProcessCommand("sh", "-c", script);
    }
}
