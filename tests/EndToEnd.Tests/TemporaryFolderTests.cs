using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Folders in the place for temporary files: gone after each end, and after a kill with the next run.</summary>
public sealed class TemporaryFolderTests : IDisposable
{
    private const string Long = "--no-metrics --events 100000";

    private readonly TemporaryFolder _folder = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private string Place => Path.GetDirectoryName(_folder.File("x"))!;

    private Dictionary<string, string> Settings => new(StringComparer.Ordinal) { ["TMPDIR"] = Place };

    private string[] Left => Directory.GetDirectories(Place, "eht-*");

    public void Dispose() => _folder.Dispose();

    [Theory]
    [EachFamily("HUP", 0)]
    [EachFamily("TERM", 0)]
    [EachFamily("INT", 0)]
    public async Task A_signal_lets_an_embedded_run_drain_and_leaves_no_folder(string clients, string signal, int exitCode)
    {
        await using var run = Programs.Start("consumer", $"{Long} --clients={clients}", Settings);
        await UntilAsync(() => Left.Length == 1);

        await run.SignalAsync(signal);

        var finished = await run.EndAsync(Cancellation);
        Assert.True(finished.ExitCode == exitCode, finished.Error);
        Assert.Contains($"SIG{signal}: draining", finished.Error, StringComparison.Ordinal);
        Assert.Empty(Left);
    }

    [Theory]
    [EachFamily("HUP", 129)]
    [EachFamily("TERM", 143)]
    public async Task A_second_signal_leaves_no_folder_either(string clients, string signal, int exitCode)
    {
        await using var run = Programs.Start("consumer", $"{Long} --clients={clients}", Settings);
        await UntilAsync(() => Left.Length == 1);

        await run.SignalAsync(signal);
        await run.WaitForOutputAsync("A second signal ends the program", Cancellation);
        await run.SignalAsync(signal);

        // It may have drained before the second one came.
        var finished = await run.EndAsync(Cancellation);
        Assert.True(finished.ExitCode == exitCode || finished.ExitCode == 0, $"{finished.ExitCode}: {finished.Error}");
        Assert.Empty(Left);
    }

    [Fact]
    public async Task A_disk_that_is_full_has_no_folder_left_on_it()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "needs a limit of the size of files");
        var program = Path.Combine(AppContext.BaseDirectory, "consumer");
        var settings = new Dictionary<string, string>(Settings, StringComparer.Ordinal) { ["DOTNET_EnableWriteXorExecute"] = "0" };
        await using var run = Programs.Start("/bin/bash", $"-c \"trap '' XFSZ; ulimit -f 0; exec '{program}' --no-metrics --events 10\"", settings);

        var finished = await run.EndAsync(Cancellation);

        Assert.True(finished.ExitCode == 2, finished.Error);
        Assert.Contains("temporary folder", finished.Error, StringComparison.Ordinal);
        Assert.Empty(Left);
    }

    [Fact]
    public async Task A_hang_up_ends_an_emulator_and_its_folder()
    {
        await using var emulator = Programs.Start("emulator", "--tls-port 0", Settings, byLine: true);
        Assert.NotNull(await emulator.ReadLineAsync(Cancellation));
        Assert.Single(Left);

        await emulator.SignalAsync("HUP");

        Assert.Equal(0, (await emulator.EndAsync(Cancellation)).ExitCode);
        Assert.Empty(Left);
    }

    [Theory]
    [EachFamily]
    public async Task A_hang_up_lets_a_sender_finish_its_ledger(string clients)
    {
        await using var emulator = await EmulatorProcess.StartAsync("", Cancellation);
        var ledger = _folder.File("ledger");
        await using var sender = Programs.Start("sender", $"--clients={clients} --count 1000000 --rate 200 --ledger {ledger}", emulator.Settings);
        await JournalGrowth.WaitAsync(emulator.Journal, static records => records.OfType<Journal.EventAppended>().Any(), Cancellation);

        await sender.SignalAsync("HUP");

        var finished = await sender.EndAsync(Cancellation);
        Assert.True(finished.ExitCode == 0, finished.Error);
        var whole = Journal.LedgerFile.Open(ledger);
        Assert.NotEmpty(whole.Rows);
        Assert.False(whole.EndsEarly);
    }

    [Theory]
    [InlineData("consumer", Long, 0)]
    [InlineData("consumer", Long + " --clients=builtin", 0)]
    [InlineData("consumer", "supervise --strategy baseline --cycles 1000", 0)]
    [InlineData("emulator", "--tls-port 0", 0)]
    public async Task The_folder_of_a_killed_run_is_removed_by_the_next_and_that_of_a_running_one_is_not(string program, string arguments, int exitCode)
    {
        await using var running = Programs.Start("emulator", "--tls-port 0", Settings, byLine: true);
        Assert.NotNull(await running.ReadLineAsync(Cancellation));
        var kept = Assert.Single(Left);
        await using (var killed = Programs.Start(program, arguments, Settings))
        {
            await UntilAsync(() => Left.Count(IsHeld) == 2);
            killed.Kill();
            await killed.EndAsync(Cancellation);
            Assert.Equal(2, Left.Length);
        }

        var next = await Programs.ConsumerAsync("--no-metrics --events 20 --profile none", Settings, Cancellation);

        Assert.True(next.ExitCode == exitCode, next.Error);
        Assert.Equal([kept], Left);
        Assert.NotEmpty(Directory.GetFiles(kept, "*.pem"));
    }

    // Its process has written its identity into it.
    private static bool IsHeld(string folder) => new FileInfo(Path.Combine(folder, "owner")) is { Exists: true, Length: > 0 };

    private static async Task UntilAsync(Func<bool> reached)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(20));
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(Cancellation);
        limit.CancelAfter(Programs.Limit);
        while (!reached())
        {
            await timer.WaitForNextTickAsync(limit.Token);
        }
    }
}
