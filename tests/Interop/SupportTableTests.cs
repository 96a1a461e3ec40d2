using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>The support table of tests/Interop/README.md lists what passed, no more and no less. `SUPPORT_TABLE=write` rewrites it instead.</summary>
public sealed class SupportTableTests(FlowRuns runs)
{
    private static readonly string DocumentPath = Path.Combine(Peers.RootFolder, "tests", "Interop", "README.md");

    [Fact]
    public void Every_feature_has_a_flow_and_every_flow_a_feature_of_the_table()
    {
        string[] spokenFor = [.. FlowGroups.All.SelectMany(static group => group.Flows).Select(static flow => flow.Feature).Distinct()];
        Assert.Empty(Features.All.Except(spokenFor));
        Assert.Empty(spokenFor.Except(Features.All));
        Assert.Empty(TriedByHand.All.SelectMany(static tried => tried.Passed).Except(Features.All));
    }

    [Fact]
    public async Task The_documentation_has_date_and_versions_of_each_manual_check()
    {
        var document = await File.ReadAllTextAsync(DocumentPath, TestContext.Current.CancellationToken);
        Assert.All(
            TriedByHand.All,
            tried =>
            {
                var entry = document[document.IndexOf($"- **{tried.Client}**", StringComparison.Ordinal)..];
                Assert.All(
                    tried.Versions.Append($"{tried.Date:yyyy-MM-dd}"),
                    said => Assert.Contains(said, entry[..entry.IndexOf("\n\n", StringComparison.Ordinal)], StringComparison.Ordinal)
                );
            }
        );
    }

    [Fact]
    public void Every_class_of_flows_is_in_the_table() =>
        Assert.Equal(
            typeof(FlowTests)
                .Assembly.GetTypes()
                .Where(static type => type.IsSubclassOf(typeof(FlowTests)))
                .Select(static type => type.Name)
                .Order(StringComparer.Ordinal),
            FlowGroups.All.Select(static group => group.Tests.Name).Order(StringComparer.Ordinal)
        );

    [Fact]
    public void A_flow_that_fails_shows_in_its_cell()
    {
        FlowOutcome[] outcomes =
        [
            new(FlowClient.JavaScript, Features.Send, true),
            new(FlowClient.JavaScript, Features.Send, false),
            new(FlowClient.Ours, Features.Send, true),
        ];
        Assert.Contains($"| {Features.Send} | 1 of 2 | - | - | - | - | - | 1 | yes | yes | yes |", SupportTable.Render(outcomes), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_table_in_the_documentation_lists_the_flows_that_passed()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        List<FlowOutcome> outcomes = [];
        foreach (var group in FlowGroups.All)
        {
            var report = await runs.OfAsync(group).WaitAsync(cancellationToken);
            outcomes.AddRange(group.Flows.Select(flow => new FlowOutcome(group.Client, flow.Feature, report.GetFailure(flow.Flow) is null)));
        }

        var committed = await File.ReadAllTextAsync(DocumentPath, cancellationToken);
        var current = SupportTable.Replace(committed, SupportTable.Render(outcomes));
        if (Environment.GetEnvironmentVariable("SUPPORT_TABLE") == "write")
        {
            await File.WriteAllTextAsync(DocumentPath, current, cancellationToken);
            return;
        }

        Assert.Equal(current, committed);
    }
}
