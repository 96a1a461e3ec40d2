using EventHubThroughput.Lab.Results;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Whole runs that name no clients: the official packages speak to every service.</summary>
public sealed class OfficialRunTests
{
    private const string Run = "--strategy=combined --profile none --events 400";

    [Fact]
    public async Task Run_that_names_no_clients_is_clean_on_the_official_packages_and_names_each_with_its_version()
    {
        using var folder = new TemporaryFolder();
        var result = folder.File("result.json");

        var run = await Programs.ConsumerAsync($"{Run} --no-metrics --output {result}", null, TestContext.Current.CancellationToken);

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("verdict: clean (400 of 400 in the queue and in the container, 0 duplicates", run.Output, StringComparison.Ordinal);
        var program = (await ResultJson.ReadRunAsync(result, TestContext.Current.CancellationToken)).Program;
        Assert.Equal("official", program.Clients);
        Assert.Collection(
            program.Packages,
            static package => Assert.Matches(@"^Azure\.Messaging\.EventHubs \d+\.\d+\.\d+$", package),
            static package => Assert.Matches(@"^Azure\.Messaging\.ServiceBus \d+\.\d+\.\d+$", package),
            static package => Assert.Matches(@"^Azure\.Storage\.Blobs \d+\.\d+\.\d+$", package),
            static package => Assert.Matches(@"^Azure\.Core \d+\.\d+\.\d+$", package)
        );
        Assert.Contains($"\nclients: {string.Join(", ", program.Packages)}. Retries: ", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [EachFamily("F13")]
    [EachFamily("F13-500")]
    [EachFamily("F14")]
    [EachFamily("F17")]
    public async Task Uploads_and_checkpoints_that_storage_refuses_or_never_answers_are_repeated_and_lose_nothing(string clients, string fault)
    {
        var run = await Programs.ConsumerAsync($"{Run} --clients={clients} --no-metrics --faults {fault}", null, TestContext.Current.CancellationToken);

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("verdict: clean (400 of 400", run.Output, StringComparison.Ordinal);
        if (fault != "F17")
        {
            Assert.DoesNotContain("writes      0 retried", run.Output, StringComparison.Ordinal);
        }
    }

    [Theory]
    [EachFamily]
    public async Task Checkpoints_are_written_unconditionally_without_fencing(string clients)
    {
        var run = await Programs.ConsumerAsync($"{Run} --clients={clients} --no-metrics --no-fencing", null, TestContext.Current.CancellationToken);

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("verdict: clean (400 of 400", run.Output, StringComparison.Ordinal);
    }
}
