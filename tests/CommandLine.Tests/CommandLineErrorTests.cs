using System.CommandLine;
using Xunit;

namespace EventHubThroughput.CommandLine.Tests;

public sealed class CommandLineErrorTests
{
    [Theory]
    [InlineData("--strategy=outlop", "error: --strategy 'outlop': unknown, did you mean 'outloop'? Known: baseline, inloop, outloop, combined")]
    [InlineData("--strategy zzz", "error: --strategy 'zzz': unknown. Known: baseline, inloop, outloop, combined")]
    [InlineData("--degree many", "error: --degree 'many': not a whole number, allowed 1 to 4096")]
    [InlineData("--degree NaN", "error: --degree 'NaN': not a whole number, allowed 1 to 4096")]
    [InlineData("--degree 1.5", "error: --degree '1.5': not a whole number, allowed 1 to 4096")]
    [InlineData("--degree=", "error: --degree '': not a whole number, allowed 1 to 4096")]
    [InlineData("--degree 0", "error: --degree 0: out of range, allowed 1 to 4096")]
    [InlineData("--degree -3", "error: --degree -3: out of range, allowed 1 to 4096")]
    [InlineData("--degree 1000000000000", "error: --degree 1000000000000: out of range, allowed 1 to 4096")]
    [InlineData("--batch 0", "error: --batch 0: out of range, allowed 1 to 10000")]
    [InlineData("--skew NaN", "error: --skew 'NaN': not a number, allowed 0 to 10")]
    [InlineData("--skew -0.1", "error: --skew -0.1: out of range, allowed 0 to 10")]
    [InlineData("--rate fast", "error: --rate 'fast': not a rate, write 100/s")]
    [InlineData("--rate 0/s", "error: --rate 0/s: out of range, allowed 0.001/s to 1000000/s")]
    [InlineData("--rate 500@10s", "error: --rate '500@10s': the first rate applies from the start and has no time, write 100/s,500/s@30s")]
    [InlineData("--rate 500,", "error: --rate '500,': '' is not a rate with a time, write 100/s,500/s@30s")]
    [InlineData("--rate 500,900", "error: --rate '500,900': '900' is not later than the rate before it, write 100/s,500/s@30s")]
    [InlineData("--rate 5,9@2s,7@1s", "error: --rate '5,9@2s,7@1s': '7@1s' is not later than the rate before it, write 100/s,500/s@30s")]
    [InlineData("--rate 5,9@soon", "error: --rate '5,9@soon': 'soon' is not a time: not a duration, write 10s, 500ms or 2m")]
    [InlineData("--rate 5,0@2s", "error: --rate '5,0@2s': out of range, allowed 0.001/s to 1000000/s")]
    [InlineData("--size many", "error: --size 'many': not a whole number, allowed 0 to 5000")]
    [InlineData("--size 5001", "error: --size 5001: out of range, allowed 0 to 5000")]
    [InlineData("--size 64:90,4096", "error: --size '64:90,4096': '4096' is not a size with a weight, write 64:90,4096:10")]
    [InlineData("--size 64:90,x:1", "error: --size '64:90,x:1': 'x:1' is not a size with a weight, write 64:90,4096:10")]
    [InlineData("--size 64:90,5001:1", "error: --size '64:90,5001:1': size 5001 out of range, allowed 0 to 5000")]
    [InlineData("--size 64:0", "error: --size '64:0': weight 0 out of range, allowed 1 to 1000000")]
    [InlineData("--size 64:1,64:2", "error: --size '64:1,64:2': size 64 is given twice")]
    [InlineData("--drain-limit 10", "error: --drain-limit '10': missing unit, write 10s, 500ms or 2m")]
    [InlineData("--drain-limit soon", "error: --drain-limit 'soon': not a duration, write 10s, 500ms or 2m")]
    [InlineData("--drain-limit 5d", "error: --drain-limit '5d': unknown unit, write 10s, 500ms or 2m")]
    [InlineData("--drain-limit 99999999999999h", "error: --drain-limit 99999999999999h: out of range, allowed 1s to 1h")]
    [InlineData("--degre 5", "error: --degre: unknown option, did you mean '--degree'?")]
    [InlineData("--Strategi outloop", "error: --Strategi: unknown option, did you mean '--strategy'?")]
    [InlineData("-d 5", "error: -d: unknown option")]
    [InlineData("--degree 5 --degree 6", "error: --degree: given twice")]
    [InlineData("--quiet --quiet --quiet", "error: --quiet: given twice")]
    [InlineData("--quiet=yes", "error: --quiet: takes no value")]
    [InlineData("--degree", "error: --degree: value missing")]
    [InlineData("--degree --quiet", "error: --degree: value missing")]
    [InlineData("--output=", "error: --output: value missing")]
    [InlineData("fast", "error: 'fast': unexpected argument")]
    public async Task Each_problem_has_its_exact_text(string arguments, string expected)
    {
        var run = await CommandRun.OfSampleAsync(arguments.Split(' '));

        Assert.Equal(2, run.ExitCode);
        Assert.Equal(expected + "\n", run.Error);
        Assert.Empty(run.Output);
    }

    [Fact]
    public async Task All_problems_are_listed_together_in_the_order_of_the_arguments()
    {
        var run = await CommandRun.OfSampleAsync(
            "--degree",
            "many",
            "--typo",
            "3",
            "--batch",
            "0",
            "--strategy=outlop",
            "--drain-limit",
            "10",
            "--quiet",
            "--quiet",
            "--output"
        );

        Assert.Equal(2, run.ExitCode);
        Assert.Equal(
            """
            error: --degree 'many': not a whole number, allowed 1 to 4096
            error: --typo: unknown option
            error: --batch 0: out of range, allowed 1 to 10000
            error: --strategy 'outlop': unknown, did you mean 'outloop'? Known: baseline, inloop, outloop, combined
            error: --drain-limit '10': missing unit, write 10s, 500ms or 2m
            error: --quiet: given twice
            error: --output: value missing

            """.ReplaceLineEndings("\n"),
            run.Error
        );
    }

    [Theory]
    [InlineData("--connection-string", "EVENTHUB")]
    [InlineData("--eventhub-connection-string", "EVENTHUB")]
    [InlineData("--servicebus-connection-string", "SERVICEBUS")]
    [InlineData("--storage-account-key", "STORAGE")]
    [InlineData("--sas", "EVENTHUB")]
    [InlineData("--password", "EVENTHUB")]
    public async Task A_secret_on_the_command_line_is_refused_and_never_echoed(string option, string service)
    {
        const string Canary = "Endpoint=sb://x/;SharedAccessKeyName=a;SharedAccessKey=c4n4ry";
        var expected = $"error: {option}: not an option. Set {service}_CONNECTION_STRING, or use a settings file with mode 0600\n";

        Assert.Equal(expected, (await CommandRun.OfSampleAsync(option, Canary)).Error);
        Assert.Equal(expected, (await CommandRun.OfSampleAsync($"{option}={Canary}")).Error);
    }

    [Theory]
    [InlineData("--degree")]
    [InlineData("--strategy")]
    [InlineData("--drain-limit")]
    [InlineData("--skew")]
    [InlineData("--rate")]
    [InlineData("--typo")]
    [InlineData("--quiet")]
    public async Task A_secret_given_to_any_option_is_never_echoed(string option)
    {
        var run = await CommandRun.OfSampleAsync(option, "Endpoint=sb://x/;SharedAccessKey=c4n4ry", "AccountKey=c4n4ry==", "?sig=c4n4ry");

        Assert.Equal(2, run.ExitCode);
        Assert.DoesNotContain("c4n4ry", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Checks_of_options_against_each_other_are_listed_with_the_others()
    {
        var root = CommandRun.Sample(_ => { });
        root.Check(_ => "--window 16: smaller than --degree 64");
        root.Check(result => result.GetValue<int>("--batch") > 5 ? null : "--batch: a check of a value that is wrong by itself says nothing");

        var run = await CommandRun.OfAsync(root, "--batch", "0");

        Assert.Equal("error: --batch 0: out of range, allowed 1 to 10000\nerror: --window 16: smaller than --degree 64\n", run.Error);
    }

    [Fact]
    public async Task A_required_option_that_is_absent_is_named()
    {
        var root = CommandRun.Sample(_ => { });
        var required = Options.Text("--journal", "The journal", "FILE");
        required.Required = true;
        root.Options.Add(required);

        Assert.Equal("error: --journal: not given\n", (await CommandRun.OfAsync(root)).Error);
    }

    [Fact]
    public async Task A_mistyped_command_gets_a_suggestion()
    {
        var root = CommandRun.Sample(_ => { });
        root.Subcommands.Add(new Command("compare", "Compares."));

        var run = await CommandRun.OfAsync(root, "comapre");

        Assert.Equal("error: 'comapre': unexpected argument, did you mean 'compare'?\n", run.Error);
    }
}
