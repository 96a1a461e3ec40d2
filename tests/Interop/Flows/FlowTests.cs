using System.Runtime.CompilerServices;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>A test class whose facts are flows of one group. The checks of a flow are in its script.</summary>
public abstract class FlowTests
{
    private readonly FlowRuns _runs;
    private readonly FlowGroup _group;

    private protected FlowTests(FlowRuns runs, FlowGroup group)
    {
        _runs = runs;
        _group = group;
    }

    /// <summary>Passes when the flow of the calling test's name passed.</summary>
    protected async Task PassesAsync([CallerMemberName] string flow = "")
    {
        var report = await _runs.OfAsync(_group).WaitAsync(TestContext.Current.CancellationToken);
        var failure = report.GetFailure(flow);
        Assert.True(failure is null, failure);
    }
}
