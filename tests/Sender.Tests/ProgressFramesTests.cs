using EventHubThroughput.CommandLine;
using EventHubThroughput.Sender;
using EventHubThroughput.Sender.Sending;
using EventHubThroughput.Testing;
using Spectre.Console;
using Xunit;

namespace EventHubThroughput.Sender.Tests;

public sealed class ProgressFramesTests
{
    [Fact]
    public async Task A_bar_shows_the_rate_is_taken_away_at_the_end_and_hides_no_cursor()
    {
        var clock = new VirtualClock();
        using var sent = new Pieces();
        using var terminal = new LiveConsole(sent, static () => (42, 24), ColorSystemSupport.NoColors) { NewLine = "\n" };
        using var ended = new CancellationTokenSource();
        var counters = new SendCounters(1_000);
        var showing = new ProgressFrames(terminal, clock).RunAsync(counters, ended.Token);
        counters.AddAcknowledged(250);
        clock.Advance(TimeSpan.FromMilliseconds(500));
        await sent.First.WaitAsync(TestContext.Current.CancellationToken);

        await ended.CancelAsync();
        await showing;

        Assert.Equal(["━━━━━                  25% 500.0 events/s"], TerminalScreen.GetLines(sent.All[0]));
        Assert.Equal([""], TerminalScreen.GetLines(string.Concat(sent.All)));
        Assert.DoesNotContain(sent.All, static piece => piece.Contains("\u001b[?25", StringComparison.Ordinal));
    }

    private sealed class Pieces : StringWriter
    {
        private readonly TaskCompletionSource first = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public List<string> All { get; } = [];

        public Task First => first.Task;

        public override void Write(string? value)
        {
            All.Add(value!);
            first.TrySetResult();
        }
    }
}
