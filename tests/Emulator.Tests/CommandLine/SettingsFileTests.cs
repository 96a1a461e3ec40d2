using EventHubThroughput.CommandLine;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.CommandLine;

public sealed class SettingsFileTests : IDisposable
{
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("eht-settings-");

    private string File => Path.Combine(_folder.FullName, "settings.json");

    public void Dispose()
    {
        _output.Dispose();
        _error.Dispose();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Its_entities_are_there_and_the_first_ones_are_printed()
    {
        Assert.Equal(
            0,
            await RunAsync(
                """
                {
                  "hubs": [{ "name": "orders", "partitions": 8, "consumerGroups": ["billing"] }, { "name": "clicks" }],
                  "queues": [{ "name": "work" }],
                  "topics": [{ "name": "news", "subscriptions": [{ "name": "all" }] }],
                  "containers": ["pictures"]
                }
                """
            )
        );
        Assert.Contains("\"EVENTHUB_NAME\":\"orders\",\"EVENTHUB_CONSUMER_GROUP\":\"billing\"", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("\"SERVICEBUS_QUEUE\":\"work\"", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("\"STORAGE_CONTAINER\":\"pictures\"", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains(
            "emulator ready: hub 'orders' with 8 partitions, hub 'clicks' with 4 partitions, queue 'work', topic 'news', profile 'none'",
            _error.ToString(),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Options_add_to_it_and_go_before_it()
    {
        Assert.Equal(0, await RunAsync("""{ "profile": "none", "hubs": [{ "name": "orders" }] }""", "--hub", "first", "--profile", "article"));
        Assert.Contains(
            "emulator ready: hub 'first' with 4 partitions, hub 'orders' with 4 partitions, queue 'queue', profile 'article'",
            _error.ToString(),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Its_faults_are_checked_like_everything_else()
    {
        Assert.Equal(0, await RunAsync("""{ "faults": [{ "name": "F11", "every": 1000 }] }"""));
        Assert.Equal(2, await RunAsync("""{ "faults": [{ "name": "F11", "every": 0 }, { "name": "own" }], "profile": "nine" }"""));
        Assert.Contains("'faults[0].every' 0: allowed 1 to", _error.ToString(), StringComparison.Ordinal);
        Assert.Contains("'faults[1].name'", _error.ToString(), StringComparison.Ordinal);
        Assert.Contains("'profile'", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task All_its_problems_are_listed()
    {
        Assert.Equal(
            2,
            await RunAsync(
                """
                {
                  "hubs": [
                    { "name": "orders", "partitions": 5000 },
                    { "name": "ORDERS" },
                    { "name": "x.servicebus.windows.net" },
                    { "partitons": 1 }
                  ],
                  "queues": [
                    { "name": "a", "forwardTo": "b" },
                    { "name": "b", "forwardTo": "a" },
                    { "name": "c", "forwardTo": "nowhere", "forwardDeadLettersTo": "c" }
                  ],
                  "topics": [{ "name": "a", "subscriptions": [{ "name": "s", "lockDuration": "1h" }, { "name": "S" }] }],
                  "containers": ["Archive"],
                  "profile": "artikel"
                }
                """,
                "--hub",
                "first"
            )
        );
        var expected = new[]
        {
            "3: 'hubs[0].partitions' 5000: allowed 1 to 1024",
            "4: 'hubs[1].name' 'ORDERS': named twice",
            "5: 'hubs[2].name' 'x.servicebus.windows.net': the emulator never talks to Azure",
            "6: 'hubs[3].name': missing",
            "6: 'hubs[3].partitons': unknown, did you mean 'partitions'?",
            "9: 'queues[0].forwardTo' 'b': forwards in a circle, 'b' leads back to 'a'",
            "10: 'queues[1].forwardTo' 'a': forwards in a circle, 'a' leads back to 'b'",
            "11: 'queues[2].forwardTo' 'nowhere': no queue and no topic of this name",
            "11: 'queues[2].forwardDeadLettersTo' 'c': forwards to itself",
            "13: 'topics[0].name' 'a': named twice",
            "13: 'topics[0].subscriptions[0].lockDuration' '1h': allowed 1s to 5m",
            "13: 'topics[0].subscriptions[1].name' 'S': named twice",
            "14: 'containers[0]' 'Archive': not a container name, allowed are 3 to 63 lower-case letters, digits and single '-'",
        };
        var lines = _error.ToString().TrimEnd().Split('\n');
        Assert.All(expected, problem => Assert.Contains($"error: {File}:{problem}", lines));
        Assert.Contains(lines, static line => line.Contains("'artikel'", StringComparison.Ordinal));
        Assert.Equal(expected.Length + 1, lines.Length);
        Assert.Empty(_output.ToString());
    }

    [Theory]
    [InlineData("{", "1: not valid JSON: unexpected end")]
    [InlineData("{\n  \"hubs\": [],\n}", "3: not valid JSON: error at column 1")]
    [InlineData("{ \"hubs\": 1, \"hubz\": 2 }", "1: 'hubs' 1: not a list")]
    public async Task A_malformed_settings_file_is_refused(string json, string expected)
    {
        Assert.Equal(2, await RunAsync(json));
        Assert.StartsWith($"error: {File}:{expected}", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_file_that_is_missing_is_named()
    {
        Assert.Equal(2, await CommandAsync("--settings", "nowhere.json"));
        Assert.Equal("error: nowhere.json: not found", _error.ToString().TrimEnd());
    }

    private async Task<int> RunAsync(string json, params string[] arguments)
    {
        await System.IO.File.WriteAllTextAsync(File, json, TestContext.Current.CancellationToken);
        return await CommandAsync(["--settings", File, "--exit-with-stdin", .. arguments]);
    }

    private Task<int> CommandAsync(params string[] arguments)
    {
        var console = new CommandConsole(_output, _error, static _ => null);
        var command = new EmulatorCommand(console, new StopRequest(static () => Stream.Null, handlesSignals: false));
        return CommandHost.RunAsync(command.Root, arguments, console, TestContext.Current.CancellationToken);
    }
}
