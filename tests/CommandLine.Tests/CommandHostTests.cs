using System.CommandLine;
using EventHubThroughput.Settings;
using Xunit;

namespace EventHubThroughput.CommandLine.Tests;

public sealed class CommandHostTests
{
    [Fact]
    public async Task Values_reach_the_command()
    {
        ParseResult? seen = null;
        var run = await CommandRun.OfAsync(
            CommandRun.Sample(result => seen = result),
            "--degree=64",
            "--strategy",
            "combined",
            "--drain-limit",
            "1.5s",
            "--skew",
            "1.25",
            "--rate",
            "100/s",
            "--output",
            "@a=b:c",
            "--containers",
            "x, y",
            "--quiet"
        );

        Assert.Equal(new CommandRun(0, string.Empty, string.Empty), run);
        Assert.NotNull(seen);
        Assert.Equal(64, seen.GetValue<int>("--degree"));
        Assert.Equal("combined", seen.GetValue<string>("--strategy"));
        Assert.Equal(TimeSpan.FromMilliseconds(1500), seen.GetValue<TimeSpan>("--drain-limit"));
        Assert.Equal(1.25, seen.GetValue<double>("--skew"));
        Assert.Equal([(100, TimeSpan.Zero)], seen.GetValue<IReadOnlyList<(double, TimeSpan)>>("--rate")!);
        Assert.Equal("@a=b:c", seen.GetValue<string?>("--output"));
        Assert.Equal(["x", "y"], seen.GetValue<IReadOnlyList<string>>("--containers")!);
        Assert.True(seen.GetValue<bool>("--quiet"));
    }

    [Fact]
    public async Task Absent_options_have_their_defaults()
    {
        ParseResult? seen = null;
        await CommandRun.OfAsync(CommandRun.Sample(result => seen = result));

        Assert.NotNull(seen);
        Assert.Equal(16, seen.GetValue<int>("--degree"));
        Assert.Equal("baseline", seen.GetValue<string>("--strategy"));
        Assert.Equal(TimeSpan.FromSeconds(10), seen.GetValue<TimeSpan>("--drain-limit"));
        Assert.Null(seen.GetValue<IReadOnlyList<(double, TimeSpan)>>("--rate"));
        Assert.Null(seen.GetValue<string?>("--output"));
        Assert.False(seen.GetValue<bool>("--quiet"));
    }

    [Fact]
    public async Task Help_goes_to_the_output_and_ends_well_even_beside_wrong_options()
    {
        var run = await CommandRun.OfSampleAsync("--help", "--degre", "5");

        Assert.Equal(0, run.ExitCode);
        Assert.Empty(run.Error);
        Assert.StartsWith("A sample.\n\nUsage: ", run.Output, StringComparison.Ordinal);
        Assert.Contains("\n  --degree N", run.Output, StringComparison.Ordinal);
        Assert.Contains("Events in flight per partition (1 to 4096) [16]\n", run.Output, StringComparison.Ordinal);
        Assert.Contains("How long to drain (1s to 1h) [10s]\n", run.Output, StringComparison.Ordinal);
        Assert.Contains("Containers to create [archive,checkpoints]\n", run.Output, StringComparison.Ordinal);
        Assert.Contains("--strategy baseline|inloop|outloop|combined\n", run.Output, StringComparison.Ordinal);
        Assert.Contains("\n  --rate N/s", run.Output, StringComparison.Ordinal);
        Assert.Contains("\n  --quiet ", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Help_has_examples_on_top_and_options_in_groups()
    {
        var root = CommandRun.Sample(_ => { });
        root.ShowExamples(("sample --degree 4", "Four at once"), ("sample --quiet", "Nothing said"));
        root.GroupOptions(
            ["Strategy", "Empty", "Load"],
            static option =>
                option.Name is "--degree" or "--batch" ? "Strategy"
                : option.Name == "--rate" ? "Load"
                : null
        );

        var help = (await CommandRun.OfAsync(root, "--help")).Output;

        Assert.Matches(
            @"\A.*\n\nUsage: .*\n\nExamples:\n  sample --degree 4  Four at once\n  sample --quiet     Nothing said\n\nStrategy:\n  --degree N .*\n  --batch N .*\n\nLoad:\n  --rate ",
            help
        );
        Assert.Matches(@"\nOther:\n(  .*\n)*  --help .*\n  --version ", help);
        Assert.DoesNotContain("Empty:", help, StringComparison.Ordinal);
        Assert.DoesNotContain("\nOptions:", help, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(52)]
    [InlineData(60)]
    [InlineData(80)]
    public async Task Help_fits_the_terminal(int columns)
    {
        await using var output = new StringWriter { NewLine = "\n" };
        var console = new CommandConsole(output, TextWriter.Null, static _ => null, columns: () => columns);
        var root = CommandRun.Sample(_ => { });
        root.Explain("Words", [("long", string.Join(' ', Enumerable.Repeat("word", 60)))]);

        await CommandHost.RunAsync(root, ["--help"], console, TestContext.Current.CancellationToken);

        // The program is the test host here, whose name is longer than that of any program.
        var lines = output.ToString().Replace(RootCommand.ExecutableName, "program", StringComparison.Ordinal).Split('\n');
        Assert.All(lines.Where(static line => !line.StartsWith("  --", StringComparison.Ordinal)), line => Assert.InRange(line.Length, 0, columns));
        Assert.Equal(60, lines.SkipWhile(static line => line != "Words:").Sum(static line => line.Split(' ').Count(static word => word == "word")));
    }

    [Fact]
    public async Task Help_of_a_subcommand_is_its_own()
    {
        var root = CommandRun.Sample(_ => { });
        var verify = new Command("verify", "Judges a run.");
        verify.Options.Add(Options.Text("--journal", "The journal", "FILE"));
        root.Subcommands.Add(verify);

        var run = await CommandRun.OfAsync(root, "verify", "--help");

        Assert.StartsWith("Judges a run.\n", run.Output, StringComparison.Ordinal);
        Assert.Contains("--journal FILE", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("--degree", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Version_is_one_line_on_the_output()
    {
        var run = await CommandRun.OfSampleAsync("--version");

        Assert.Equal(0, run.ExitCode);
        Assert.Matches(@"^\d+\.\d+\.\d+\S*\n$", run.Output);
        Assert.Empty(run.Error);
    }

    [Fact]
    public async Task Each_late_usage_problem_is_a_separate_line_and_the_exit_code_is_2()
    {
        var run = await CommandRun.OfAsync(CommandRun.Sample(_ => throw new UsageException(["A: one", "B: two"])));

        Assert.Equal(new CommandRun(2, string.Empty, "error: A: one\nerror: B: two\n"), run);
    }

    [Fact]
    public async Task A_failure_gives_the_code_of_its_cause_and_one_line()
    {
        var run = await CommandRun.OfAsync(
            CommandRun.Sample(_ => throw new FailureException(FailureCause.Dependency, "service bus 127.0.0.1:5673 unreachable for 60 s"))
        );

        Assert.Equal(new CommandRun(4, string.Empty, "error: service bus 127.0.0.1:5673 unreachable for 60 s\n"), run);
    }

    [Fact]
    public async Task An_unexpected_error_is_one_line_without_secret_and_a_file_with_the_stack()
    {
        var run = await CommandRun.OfAsync(CommandRun.Sample(_ => throw new InvalidOperationException("first\nsecond SharedAccessKey=c4n4ry")));

        Assert.Equal(1, run.ExitCode);
        Assert.StartsWith("error: InvalidOperationException: first second SharedAccessKey=*** (details: ", run.Error, StringComparison.Ordinal);
        Assert.Equal(1, run.Error.Count(c => c == '\n'));
        var path = run.Error[(run.Error.IndexOf("details: ", StringComparison.Ordinal) + 9)..^2];
        var text = await File.ReadAllTextAsync(path, TestContext.Current.CancellationToken);
        File.Delete(path);
        Assert.Contains("   at ", text, StringComparison.Ordinal);
        Assert.DoesNotContain("c4n4ry", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_cancelled_command_is_reported_without_a_stack_trace()
    {
        using var cancellation = new CancellationTokenSource();
        var root = new RootCommand("Waits.");
        root.SetAction(
            async (_, cancellationToken) =>
            {
                await cancellation.CancelAsync();
                cancellationToken.ThrowIfCancellationRequested();
            }
        );
        await using var error = new StringWriter { NewLine = "\n" };
        var console = new CommandConsole(TextWriter.Null, error, _ => null);

        Assert.Equal(1, await CommandHost.RunAsync(root, [], console, cancellation.Token));
        Assert.Equal("error: interrupted\n", error.ToString());
    }
}
