using EventHubThroughput.Clients;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Sessions;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Pipeline;

public sealed class ProcessorRunTests : IDisposable
{
    private readonly ProcessingStop stop = new(TimeSpan.FromSeconds(10), new VirtualClock());
    private readonly ProcessingFaults faults = new();
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

        Assert.Equal(ProcessingEnd.Drained, await running);
    }

    [Fact]
    public async Task Takes_no_partition_when_there_is_nothing_to_do()
    {
        drained.SetResult();

        Assert.Equal(ProcessingEnd.Drained, await RunAsync(_ => throw new InvalidOperationException("started")));
    }

    [Fact]
    public async Task Drains_at_the_first_signal()
    {
        var running = RunAsync(UntilAsync);

        await signal.CancelAsync();

        Assert.Equal(ProcessingEnd.Stopped, await running);
        Assert.Empty(faults.All);
    }

    [Fact]
    public async Task Stops_at_a_fault_that_a_sink_has_reported()
    {
        var running = RunAsync(UntilAsync);

        faults.Report(ProcessingFaultKind.Poison, "poison");

        Assert.Equal(ProcessingEnd.Faulted, await running);
        Assert.True(stop.Requested.IsCancellationRequested);
    }

    [Fact]
    public async Task Names_the_service_when_the_processor_gives_up()
    {
        var running = RunAsync(_ => Task.FromException(new MessagingException(FailureKind.Unreachable, "event hub 127.0.0.1:5672 unreachable for 30 s")));

        Assert.Equal(ProcessingEnd.Faulted, await running);
        Assert.Equal([new ProcessingFault(ProcessingFaultKind.Dependency, "event hub 127.0.0.1:5672 unreachable for 30 s")], faults.All);
    }

    [Fact]
    public async Task Lets_a_bug_escape() =>
        await Assert.ThrowsAsync<InvalidOperationException>(() => RunAsync(_ => Task.FromException(new InvalidOperationException("a bug"))));

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

    private Task<ProcessingEnd> RunAsync(Func<CancellationToken, Task> process) =>
        new ProcessorRun(process, stop, faults).RunAsync(drained.Task.WaitAsync, signal.Token);
}
