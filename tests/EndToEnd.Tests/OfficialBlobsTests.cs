using EventHubThroughput.Consumer.Results;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Whole runs in which the official client speaks to storage and the built-in ones to the rest: every build has it.</summary>
public sealed class OfficialBlobsTests
{
    private const string Run = "--clients=blobs:official --strategy=combined --profile none --events 400";

    [Fact]
    public async Task A_run_over_the_official_blob_client_is_clean_and_says_who_spoke()
    {
        using var folder = new TemporaryFolder();
        var result = folder.File("result.json");

        var run = await Programs.ConsumerAsync($"{Run} --no-metrics --output {result}", null, TestContext.Current.CancellationToken);

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("verdict: clean (400 of 400 in the queue and in the container, 0 duplicates", run.Output, StringComparison.Ordinal);
        Assert.Contains("\nclients: Azure.Storage.Blobs 12.", run.Error, StringComparison.Ordinal);
        Assert.Equal("blobs:official", (await ResultJson.ReadRunAsync(result, TestContext.Current.CancellationToken)).Program.Clients);
    }

    [Theory]
    [InlineData("F13")]
    [InlineData("F13-500")]
    [InlineData("F14")]
    [InlineData("F17")]
    public async Task Uploads_and_checkpoints_that_storage_refuses_or_never_answers_are_repeated_and_lose_nothing(string fault)
    {
        var run = await Programs.ConsumerAsync($"{Run} --no-metrics --faults {fault}", null, TestContext.Current.CancellationToken);

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("verdict: clean (400 of 400", run.Output, StringComparison.Ordinal);
        if (fault != "F17")
        {
            Assert.DoesNotContain("writes      0 retried", run.Output, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Consumers_that_die_inside_a_request_to_storage_leave_nothing_that_their_successors_do_not_mend()
    {
        var run = await Programs.ConsumerAsync(
            "supervise --clients=blobs:official --kill-at K4,K5,K8,K9 --cycles 4 --strategy outloop",
            null,
            TestContext.Current.CancellationToken,
            TimeSpan.FromMinutes(4)
        );

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        var struck = run.Output.Split('\n').Where(static line => line.StartsWith("| K", StringComparison.Ordinal)).Select(static line => line.Split('|'));
        Assert.Equal([("K4", "1"), ("K5", "1"), ("K8", "1"), ("K9", "1")], struck.Select(static cells => (cells[1].Trim(), cells[^2].Trim())));
    }
}
