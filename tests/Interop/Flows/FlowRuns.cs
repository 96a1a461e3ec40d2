using EventHubThroughput.Interop;
using Xunit;

[assembly: AssemblyFixture(typeof(FlowRuns))]

namespace EventHubThroughput.Interop;

/// <summary>Runs each group once, for the first request: the group's tests or the support table.</summary>
public sealed class FlowRuns : IAsyncDisposable
{
    private readonly CancellationTokenSource _ending = new();
    private readonly Lock _lock = new();

    // Under the lock.
    private readonly Dictionary<FlowGroup, Task<FlowReport>> _runs = [];

    /// <summary>Ends what still runs when the tests were interrupted.</summary>
    public async ValueTask DisposeAsync()
    {
        await _ending.CancelAsync();
        Task ended = Task.WhenAll(_runs.Values);
        await ended.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _ending.Dispose();
    }

    internal Task<FlowReport> OfAsync(FlowGroup group)
    {
        lock (_lock)
        {
            if (!_runs.TryGetValue(group, out var run))
            {
                run = RunAsync(group);
                _runs.Add(group, run);
            }

            return run;
        }
    }

    private async Task<FlowReport> RunAsync(FlowGroup group)
    {
        // The start must not happen under the lock.
        await Task.Yield();
        var report = await group.RunAsync(group, _ending.Token);
        string[] unknown = [.. report.Flows.Except(group.Flows.Select(static flow => flow.Flow))];
        Assert.True(unknown.Length == 0, $"flows without a test in {group.Tests.Name}: {string.Join(", ", unknown)}");
        return report;
    }
}
