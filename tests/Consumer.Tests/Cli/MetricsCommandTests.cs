using System.CommandLine;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Consumer.Cli;
using EventHubThroughput.Telemetry;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Consumer.Tests.Cli;

public sealed class MetricsCommandTests
{
    [Fact]
    public async Task Prints_the_folder_in_which_runs_of_this_machine_list_themselves_and_the_rules_of_the_repository()
    {
        var (code, output, error) = await RunAsync(RepositoryFiles.GetPath(), "--print-config");

        Assert.Equal((0, ""), (code, error));
        Assert.Contains($"- {TargetList.UsualFolder}/*.json\n", output, StringComparison.Ordinal);
        Assert.Contains($"- {RepositoryFiles.GetPath("grafana", "rules.yml")}\n", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_named_folder_becomes_absolute_and_rules_that_do_not_exist_are_left_out()
    {
        var (code, output, _) = await RunAsync(Path.GetTempPath(), "--print-config", "--metrics-targets=some/targets");

        Assert.Equal(0, code);
        Assert.Contains($"- {Path.Combine(Path.GetTempPath(), "some", "targets")}/*.json\n", output, StringComparison.Ordinal);
        Assert.DoesNotContain("rule_files", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", "metrics: nothing to do, allowed --print-config")]
    [InlineData("--print-config --metrics-targets=/tmp/t*", "--metrics-targets '/tmp/t*': Prometheus reads * ? [ as a pattern")]
    public async Task A_command_line_without_a_result_exits_with_2(string arguments, string expected)
    {
        var (code, output, error) = await RunAsync(Path.GetTempPath(), arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries));

        Assert.Equal((2, ""), (code, output));
        Assert.Contains(expected, error, StringComparison.Ordinal);
    }

    private static async Task<(int Code, string Output, string Error)> RunAsync(string folder, params string[] arguments)
    {
        await using var output = new StringWriter { NewLine = "\n" };
        await using var error = new StringWriter { NewLine = "\n" };
        var console = new CommandConsole(output, error, static _ => null);
        var root = new RootCommand("test");
        root.Subcommands.Add(MetricsCommand.Create(console, folder));
        var code = await CommandHost.RunAsync(root, ["metrics", .. arguments], console, TestContext.Current.CancellationToken);
        return (code, $"{output}", $"{error}");
    }
}
