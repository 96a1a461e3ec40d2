using System.Text.RegularExpressions;
using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>What docs/emulator.md tells a JavaScript user to write is run as it stands there.</summary>
public sealed partial class ConnectDocumentTests
{
    private static readonly string DocumentPath = Path.Combine(Peers.RootFolder, "docs", "emulator.md");

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
        CancellationToken cancellationToken = TestContext.Current.CancellationToken;
        string node = Peers.RequireNode("@azure/event-hubs", "@azure/service-bus", "@azure/storage-blob");
        await using EmulatorHost emulator = await EmulatorHost.StartAsync(new EmulatorOptions { Entities = EntitySet.Default }, cancellationToken);
        if (before is not null)
        {
            await RunScriptAsync(node, before, emulator.Settings, cancellationToken);
        }

        Assert.Equal(expected, await RunScriptAsync(node, name, emulator.Settings, cancellationToken));
    }

    private static async Task<string> RunScriptAsync(string node, string name, IReadOnlyDictionary<string, string> settings, CancellationToken cancellationToken)
    {
        // Beside the packages, since that is where Node looks for them.
        string path = Path.Combine(Peers.ScriptFolder, $"connect-{Guid.NewGuid():n}.mjs");
        await File.WriteAllTextAsync(path, await ScriptAsync(name, cancellationToken), cancellationToken);
        try
        {
            PeerScriptResult result = await new PeerScript(node, path).RunAsync(settings, TimeSpan.FromSeconds(60), cancellationToken);
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
        string document = await File.ReadAllTextAsync(DocumentPath, cancellationToken);
        return Assert.Single(JavaScriptBlocks().Matches(document), match => match.Groups["name"].Value == name).Groups["code"].Value;
    }

    [GeneratedRegex(@"```js\n(?<code>// (?<name>[a-z ]+)\n.*?)```", RegexOptions.Singleline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1_000)]
    private static partial Regex JavaScriptBlocks();
}
