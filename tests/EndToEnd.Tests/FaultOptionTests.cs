using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Faults of an embedded run: known before anything happens, striking the run and never the filling of its hub.</summary>
public sealed class FaultOptionTests
{
    private const string Run = "--strategy=combined --profile none --events 400 --no-metrics";

    [Theory]
    [InlineData("F999", "error: --faults 'F999': unknown. Known: F3, F6,")]
    [InlineData("F11,F1a", "error: --faults 'F1a': unknown, did you mean 'F11'? Known: F3, F6,")]
    public async Task Unknown_names_are_refused_in_the_emulators_words(string faults, string expected)
    {
        var run = await Programs.ConsumerAsync($"{Run} --faults {faults}", null, TestContext.Current.CancellationToken);

        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        var error = Assert.Single(run.Error.Split('\n'), line => line.StartsWith("error:", StringComparison.Ordinal));
        Assert.StartsWith(expected, error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_file_that_makes_no_sense_is_refused_with_all_that_is_wrong_with_it()
    {
        using var folder = new TemporaryFolder();
        var file = folder.File("bad.json");
        await File.WriteAllTextAsync(file, """{ "at": "messageSnd", "do": "refuse", "every": 0 }""", TestContext.Current.CancellationToken);

        var run = await Programs.ConsumerAsync($"{Run} --faults {file}", null, TestContext.Current.CancellationToken);

        Assert.Equal(2, run.ExitCode);
        Assert.Equal(2, run.Error.Split('\n').Count(line => line.StartsWith($"error: {file}", StringComparison.Ordinal)));
    }

    [Theory]
    [EachFamily]
    public async Task Lost_answers_make_duplicates_and_no_loss(string clients)
    {
        var run = await Programs.ConsumerAsync($"{Run} --clients={clients} --faults F11", null, TestContext.Current.CancellationToken);

        // One message in 100 is stored, its answer lost: 400 events meet it four times and again for what was in flight beside them.
        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.Contains("verdict: clean (400 of 400", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain(", 0 duplicates", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [EachFamily]
    public async Task The_filling_of_the_hub_meets_no_fault(string clients)
    {
        using var folder = new TemporaryFolder();
        var file = folder.File("no-events.json");
        await File.WriteAllTextAsync(
            file,
            """{ "name": "no-events", "at": "eventSend", "do": "refuse", "reason": "full" }""",
            TestContext.Current.CancellationToken
        );

        var run = await Programs.ConsumerAsync($"{Run} --clients={clients} --faults {file}", null, TestContext.Current.CancellationToken);

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
    }
}
