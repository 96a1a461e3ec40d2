using System.Text.RegularExpressions;
using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>The code of docs/emulator.md for JavaScript and Python users is run as it is there.</summary>
public sealed partial class ConnectDocumentTests
{
    private static readonly string DocumentPath = Path.Combine(Peers.RootFolder, "docs", "emulator.md");

    // Debian's SDK is one of those that need TLS, so the lines are run with the change that the document names for them.
    [Fact]
    public async Task The_lines_for_Python_work_with_an_older_SDK()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var python = PythonScript.Require("python3-azure", "azure/eventhub");
        await using var emulator = await PythonScript.StartWithTlsAsync(EntitySet.Default, cancellationToken);
        var document = await File.ReadAllTextAsync(DocumentPath, cancellationToken);
        string[] blocks = [.. PythonBlocks().Matches(document).Select(static match => match.Groups["code"].Value)];
        var change = Assert.Single(blocks, static block => block.Contains("EMULATOR_TLS", StringComparison.Ordinal)).Trim();
        var script = string.Concat(blocks.Where(block => block.Trim() != change))
            .Replace("os.environ[\"EVENTHUB_CONNECTION_STRING\"]", change, StringComparison.Ordinal)
            .Replace("os.environ[\"SERVICEBUS_CONNECTION_STRING\"]", change, StringComparison.Ordinal);

        Assert.Equal("hello\nhello\nhello\n", await RunScriptAsync(python, Path.GetTempPath(), ".py", script, emulator.Settings, cancellationToken));
    }

    [Fact]
    public Task The_lines_for_sending_an_event_work() => RunAsync("send an event", "sent\n");

    [Fact]
    public Task The_lines_for_reading_events_work() => RunAsync("read events", "hello\n", before: "send an event");

    [Fact]
    public Task The_lines_for_messages_work() => RunAsync("messages", "hello\n");

    [Fact]
    public Task The_lines_for_blobs_work() => RunAsync("blobs", "hello\n");

    private static async Task RunAsync(string name, string expected, string? before = null)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        var node = Peers.RequireNode("@azure/event-hubs", "@azure/service-bus", "@azure/storage-blob");
        await using var emulator = await EmulatorHost.StartAsync(new EmulatorOptions { Entities = EntitySet.Default }, cancellationToken);
        if (before is not null)
        {
            await RunNodeAsync(node, before, emulator.Settings, cancellationToken);
        }

        Assert.Equal(expected, await RunNodeAsync(node, name, emulator.Settings, cancellationToken));
    }

    // Beside the packages, since that is where Node looks for them.
    private static async Task<string> RunNodeAsync(
        string node,
        string name,
        IReadOnlyDictionary<string, string> settings,
        CancellationToken cancellationToken
    ) => await RunScriptAsync(node, Peers.ScriptFolder, ".mjs", await ScriptAsync(name, cancellationToken), settings, cancellationToken);

    private static async Task<string> RunScriptAsync(
        string interpreter,
        string folder,
        string extension,
        string script,
        IReadOnlyDictionary<string, string> settings,
        CancellationToken cancellationToken
    )
    {
        var path = Path.Combine(folder, $"connect-{Guid.NewGuid():n}{extension}");
        await File.WriteAllTextAsync(path, script, cancellationToken);
        try
        {
            var result = await new PeerScript(interpreter, path).RunAsync(settings, TimeSpan.FromSeconds(60), cancellationToken);
            Assert.True(result.ExitCode == 0, result.Error);
            return result.Output;
        }
        finally
        {
            File.Delete(path);
        }
    }

    // The blocks begin with a comment that names them.
    private static async Task<string> ScriptAsync(string name, CancellationToken cancellationToken)
    {
        var document = await File.ReadAllTextAsync(DocumentPath, cancellationToken);
        return Assert.Single(JavaScriptBlocks().Matches(document), match => match.Groups["name"].Value == name).Groups["code"].Value;
    }

    [GeneratedRegex(@"```js\n(?<code>// (?<name>[a-z ]+)\n.*?)```", RegexOptions.Singleline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1_000)]
    private static partial Regex JavaScriptBlocks();

    [GeneratedRegex(@"```python\n(?<code>.*?)```", RegexOptions.Singleline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1_000)]
    private static partial Regex PythonBlocks();
}
