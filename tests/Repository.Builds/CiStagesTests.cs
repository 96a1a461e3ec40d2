using EventHubThroughput.EndToEnd.Tests;
using EventHubThroughput.Processes;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Repository.Builds;

/// <summary>The stages of CI with a <c>dotnet</c> that only reports how its tests went: the counts, and what is red.</summary>
public sealed class CiStagesTests
{
    /// <summary>What the command of a stage contains, and no other one does, as a pattern of bash.</summary>
    private static readonly Dictionary<string, string> Marks = new(StringComparer.Ordinal)
    {
        ["none"] = "never",
        ["unit"] = "*'--solution unit.slnf'*",
        ["process"] = "*EndToEnd.Tests.dll*",
        ["interop"] = "*Interop.dll*",
        ["browser"] = "*Browser.dll*",
        ["safety"] = "*Safety.dll*",
    };

    [Theory]
    [InlineData("none", "", 0, 0, "25 passed, 0 failed")]
    [InlineData("process", "failed: 1,succeeded: 4,skipped: 0", 2, 1, "24 passed, 1 failed")]
    [InlineData("interop", "failed: 0,succeeded: 0,skipped: 0", 0, 1, "20 passed, 1 failed")]
    [InlineData("interop", "Zero tests ran", 8, 1, "20 passed, 1 failed")]
    [InlineData("browser", "failed: 0,succeeded: 3,skipped: 2", 0, 1, "23 passed, 2 failed")]
    [InlineData("safety", "failed: 0,succeeded: 4,skipped: 1", 0, 1, "24 passed, 1 failed")]
    [InlineData("safety", "failed: 0,succeeded: 5,skipped: 0", 7, 1, "25 passed, 1 failed")]
    [InlineData("unit", "", 139, 1, "0 passed, 5 failed")]
    public async Task The_last_line_counts_all_stages_and_a_red_first_one_ends_them(string tier, string said, int exitCode, int expected, string last)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "CI is a script for bash");
        using var folder = new TemporaryFolder();
        var lines = string.Join('\n', said.Split(',').Select(static line => $"echo '  {line}'"));
        await WriteAsync(
            folder.File("dotnet"),
            $"""
            #!/usr/bin/env bash
            case "$*" in {Marks[tier]})
            {lines}
            exit {exitCode};;
            esac
            echo '  failed: 0'; echo '  succeeded: 5'; echo '  skipped: 0'
            """
        );

        var (code, output) = await RunAsync(Path.GetDirectoryName(folder.File("dotnet"))!);

        Assert.Equal((expected, last), (code, output[^1]));
        Assert.Equal(tier == "unit" ? 1 : 5, output.Count(static line => line.EndsWith(" s", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Each_stage_names_its_ten_slowest_tests_the_slowest_first()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "CI is a script for bash");
        using var folder = new TemporaryFolder();
        await WriteAsync(
            folder.File("dotnet"),
            """
            #!/usr/bin/env bash
            reports=$(grep -oE -e '--results-directory [^ ]+' <<< "$*" | cut -d ' ' -f 2)
            mkdir -p "$reports"
            for number in 1 2 3 4 5 6; do
                echo "<test id=\"a\" name=\"Quick.Test$number\" time=\"$number.04\" type=\"Quick\">" >> "$reports/one.xunit"
                echo "<test id=\"b\" name=\"Slow.Test(of: &quot;$number&quot;)\" time=\"1$number.06\" type=\"Slow\">" >> "$reports/two.xunit"
            done
            echo '  failed: 0'; echo '  succeeded: 12'; echo '  skipped: 0'
            """
        );

        var (code, output) = await RunAsync(Path.GetDirectoryName(folder.File("dotnet"))!);

        Assert.Equal((0, "60 passed, 0 failed"), (code, output[^1]));
        string[] slowest =
        [
            .. Enumerable.Range(1, 6).Reverse().Select(static number => $"1{number}.1 s  Slow.Test(of: \"{number}\")"),
            .. Enumerable.Range(3, 4).Reverse().Select(static number => $"{number}.0 s  Quick.Test{number}"),
        ];
        var begin = Array.FindIndex(output, static line => line.StartsWith("ci: stage process: 12 passed", StringComparison.Ordinal));
        Assert.Equal(slowest, output[(begin + 1)..(begin + 11)].Select(static line => line.Trim()));
        Assert.Equal(5 * slowest.Length, output.Count(static line => line.Contains(" s  ", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task A_failed_test_is_named_again_right_before_the_last_line()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "CI is a script for bash");
        using var folder = new TemporaryFolder();
        await WriteAsync(
            folder.File("dotnet"),
            """
            #!/usr/bin/env bash
            case "$*" in *Interop.dll*)
            echo 'failed Some.Test(of: "it") (12ms)'; echo '  Assert.Equal() Failure'; echo '  failed: 1'; echo '  succeeded: 4'; echo '  skipped: 0'
            exit 2;;
            esac
            echo '  failed: 0'; echo '  succeeded: 5'; echo '  skipped: 0'
            """
        );

        var (code, output) = await RunAsync(Path.GetDirectoryName(folder.File("dotnet"))!);

        Assert.Equal((1, "24 passed, 1 failed"), (code, output[^1]));
        var named = Array.FindLastIndex(output, static line => line.StartsWith("ci: stage ", StringComparison.Ordinal)) + 1;
        Assert.Equal("ci: interop: failed Some.Test(of: \"it\") (12ms)", output[named]);
        Assert.Equal("ci: interop:   Assert.Equal() Failure", output[named + 1]);
    }

    private static async Task WriteAsync(string path, string text)
    {
        await File.WriteAllTextAsync(path, text.ReplaceLineEndings("\n"), TestContext.Current.CancellationToken);
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }
    }

    private static async Task<(int ExitCode, string[] Output)> RunAsync(string first)
    {
        var finished = await RunningProcess.RunAsync(
            new ProcessCommand("bash", RepositoryFiles.GetPath(".ci", "stages"))
            {
                Variables = new Dictionary<string, string> { ["PATH"] = $"{first}:{Environment.GetEnvironmentVariable("PATH")}" },
            },
            Programs.Limit,
            TestContext.Current.CancellationToken
        );
        return (finished.ExitCode, finished.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries));
    }
}
