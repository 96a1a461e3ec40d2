using System.Globalization;
using EventHubThroughput.Processes;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.CommandLine;

/// <summary>What shells make of the settings that are printed for them, whole and in part.</summary>
public sealed class SettingsForShellsTests : IDisposable
{
    // Prints for each file how many of the settings are set after reading it. Prints nothing where the shell gives up.
    private const string Count = """for file in "$0"/*; do ( . "$file" >/dev/null 2>&1; env | grep -c '^EHT_TEST_' ) ; done""";

    private static readonly Dictionary<string, string> Settings = new(StringComparer.Ordinal)
    {
        ["EHT_TEST_CONNECTION_STRING"] = "Endpoint=sb://127.0.0.1:5672;SharedAccessKeyName=Root;SharedAccessKey=c2VjcmV0",
        ["EHT_TEST_NAME"] = "it's",
        ["EHT_TEST_QUEUE"] = "queue",
    };

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("eht-shells-");

    public void Dispose() => folder.Delete(recursive: true);

    [Theory]
    [InlineData("bash")]
    [InlineData("sh")]
    public async Task A_shell_that_reads_the_whole_sets_everything(string shell)
    {
        Put("whole", EmulatorSettings.ToExports(Settings) + "\n");

        Assert.Equal(["3"], await CountAsync(shell));
    }

    [Theory]
    [InlineData("bash")]
    [InlineData("sh")]
    public async Task A_shell_that_reads_a_part_sets_nothing(string shell)
    {
        var text = EmulatorSettings.ToExports(Settings);
        for (var length = 0; length < text.Length; length++)
        {
            Put(length.ToString("D4", CultureInfo.InvariantCulture), text[..length]);
        }

        Assert.All(await CountAsync(shell), static count => Assert.Equal("0", count));
    }

    private void Put(string name, string text) => File.WriteAllText(Path.Combine(folder.FullName, name), text);

    private async Task<string[]> CountAsync(string shell)
    {
        var finished = await RunningProcess.RunAsync(
            new ProcessCommand(shell, "-c", Count, folder.FullName),
            TimeSpan.FromSeconds(60),
            TestContext.Current.CancellationToken
        );
        return finished.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }
}
