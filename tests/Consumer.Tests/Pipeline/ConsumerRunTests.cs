using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Consumer.Pipeline;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Pipeline;

public sealed class ConsumerRunTests : IDisposable
{
    private readonly RunStop stop = new(TimeSpan.FromSeconds(10), new VirtualClock());
    private readonly RunFaults faults = new();
    private readonly CancellationTokenSource signal = new();
    private readonly TaskCompletionSource drained = new();

    [Fact]
    public async Task Ends_when_the_backlog_is_drained_and_the_processor_has_closed()
    {
        var closed = new TaskCompletionSource();
        var running = RunAsync(async stopped =>
        {
            await UntilAsync(stopped);
            await closed.Task;
        });

        drained.SetResult();
        Assert.False(running.IsCompleted);
        closed.SetResult();

        Assert.Equal(RunEnd.Drained, await running);
    }

    [Fact]
    public async Task Takes_no_partition_when_there_is_nothing_to_do()
    {
        drained.SetResult();

        Assert.Equal(RunEnd.Drained, await RunAsync(_ => throw new InvalidOperationException("started")));
    }

    [Fact]
    public async Task Drains_at_the_first_signal()
    {
        var running = RunAsync(UntilAsync);

        await signal.CancelAsync();

        Assert.Equal(RunEnd.Stopped, await running);
        Assert.Empty(faults.All);
    }

    [Fact]
    public async Task Stops_at_a_fault_that_a_sink_has_reported()
    {
        var running = RunAsync(UntilAsync);

        faults.Report(7, "poison");

        Assert.Equal(RunEnd.Faulted, await running);
        Assert.True(stop.Requested.IsCancellationRequested);
    }

    [Fact]
    public async Task Names_the_service_when_the_processor_gives_up()
    {
        var running = RunAsync(_ => Task.FromException(new MessagingException(FailureKind.Unreachable, "event hub 127.0.0.1:5672 unreachable for 30 s")));

        Assert.Equal(RunEnd.Faulted, await running);
        Assert.Equal([new RunFault(4, "event hub 127.0.0.1:5672 unreachable for 30 s")], faults.All);
    }

    [Fact]
    public async Task Lets_a_bug_escape() =>
        await Assert.ThrowsAsync<InvalidOperationException>(() => RunAsync(_ => Task.FromException(new InvalidOperationException("a bug"))));

    [Theory]
    [InlineData(new[] { 7, 9, 4 }, 9)]
    [InlineData(new[] { 8, 7 }, 7)]
    [InlineData(new[] { 5, 3, 9 }, 3)]
    [InlineData(new[] { 0, 5 }, 5)]
    [InlineData(new int[0], 0)]
    public void Ends_with_the_first_code_of_the_documented_order(int[] codes, int expected) => Assert.Equal(expected, ExitCode.Worst(codes));

    public void Dispose()
    {
        stop.Dispose();
        signal.Dispose();
    }

    private static async Task UntilAsync(CancellationToken stopped)
    {
        var over = new TaskCompletionSource();
        await using var registration = stopped.Register(over.SetResult);
        await over.Task;
    }

    private Task<RunEnd> RunAsync(Func<CancellationToken, Task> process) =>
        new ConsumerRun(new ScriptedProcessor(process), stop, faults).RunAsync(drained.Task.WaitAsync, signal.Token);

    private sealed class ScriptedProcessor(Func<CancellationToken, Task> run) : IEventHubProcessor
    {
        public IReadOnlyCollection<string> OwnedPartitions => [];

        public Task RunAsync(CancellationToken stop) => run(stop);
    }
}
