using System.Text.RegularExpressions;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.CommandLine;

/// <summary>What docs/emulator.md shows is what the emulator takes.</summary>
public sealed partial class DocumentationTests
{
    [Fact]
    public async Task The_settings_file_of_the_documentation_starts_an_emulator()
    {
        var file = Path.GetTempFileName();
        using var output = new StringWriter();
        using var error = new StringWriter();
        try
        {
            await File.WriteAllTextAsync(file, Example().Match(await ReadAsync()).Groups["json"].Value, TestContext.Current.CancellationToken);
            var console = new CommandConsole(output, error, static _ => null);
            var command = new EmulatorCommand(console, new StopRequest(static () => Stream.Null, handlesSignals: false));
            Assert.Equal(
                0,
                await CommandHost.RunAsync(command.Root, ["--settings", file, "--exit-with-stdin"], console, TestContext.Current.CancellationToken)
            );
            Assert.Contains("\"EVENTHUB_NAME\":\"orders\",\"EVENTHUB_CONSUMER_GROUP\":\"billing\"", output.ToString(), StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public async Task Every_option_is_documented()
    {
        using var writer = new StringWriter();
        var command = new EmulatorCommand(
            new CommandConsole(writer, writer, static _ => null),
            new StopRequest(static () => Stream.Null, handlesSignals: false)
        );
        var text = await ReadAsync();
        Assert.All(
            command.Root.Options.Select(static option => option.Name).Where(static name => name is not ("--help" or "--version")),
            name => Assert.Contains($"`{name}", text, StringComparison.Ordinal)
        );
    }

    private static Task<string> ReadAsync() => File.ReadAllTextAsync(RepositoryFiles.GetPath("docs", "emulator.md"), TestContext.Current.CancellationToken);

    [GeneratedRegex(
        "```json\n(?<json>.*?)```",
        RegexOptions.Singleline | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 1000
    )]
    private static partial Regex Example();
}
