using EventHubThroughput.CommandLine;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.CommandLine;

/// <summary>The configuration files of Microsoft's two emulators as <c>--settings</c>.</summary>
public sealed class MicrosoftConfigTests : IDisposable
{
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("eht-config-");

    private string File => Path.Combine(_folder.FullName, "Config.json");

    public void Dispose()
    {
        _output.Dispose();
        _error.Dispose();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Configuration_of_the_Event_Hubs_emulator_is_understood()
    {
        Assert.Equal(
            0,
            await RunAsync(
                """
                { "UserConfig": { "NamespaceConfig": [ { "Type": "EventHub", "Name": "emulatorNs1", "Entities": [
                  { "Name": "orders", "PartitionCount": "2", "ConsumerGroups": [ { "Name": "billing" } ] },
                  { "Name": "clicks", "PartitionCount": 8, "ConsumerGroups": [] } ] } ],
                  "LoggingConfig": { "Type": "File" } } }
                """
            )
        );
        Assert.Contains(
            "emulator ready: hub 'orders' with 2 partitions, hub 'clicks' with 8 partitions, queue 'queue'",
            _error.ToString(),
            StringComparison.Ordinal
        );
        Assert.Contains("\"EVENTHUB_CONSUMER_GROUP\":\"billing\"", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Configuration_of_the_Service_Bus_emulator_is_understood()
    {
        Assert.Equal(
            0,
            await RunAsync(
                """
                { "UserConfig": { "Namespaces": [ { "Name": "sbemulatorns",
                  "Queues": [ { "Name": "work", "Properties": { "DeadLetteringOnMessageExpiration": true, "DefaultMessageTimeToLive": "PT1H",
                    "DuplicateDetectionHistoryTimeWindow": "PT20S", "ForwardDeadLetteredMessagesTo": "", "ForwardTo": "", "LockDuration": "PT1M",
                    "MaxDeliveryCount": 3, "RequiresDuplicateDetection": false, "RequiresSession": false } },
                    { "Name": "plain" } ],
                  "Topics": [ { "Name": "news", "Properties": { "DefaultMessageTimeToLive": "PT1H", "DuplicateDetectionHistoryTimeWindow": "PT20S",
                    "RequiresDuplicateDetection": true },
                    "Subscriptions": [ { "Name": "sport", "Properties": { "ForwardTo": "work", "LockDuration": "PT1M", "MaxDeliveryCount": 3, "RequiresSession": false },
                      "Rules": [ { "Name": "football", "Properties": { "FilterType": "Sql", "SqlFilter": { "SqlExpression": "league = 1" } } },
                        { "Name": "tennis", "Properties": { "FilterType": "Correlation", "CorrelationFilter": { "ContentType": "text/plain", "Label": "tennis",
                          "Properties": { "court": 1 } } } } ] },
                      { "Name": "all", "Properties": {}, "Rules": [] } ] } ] } ],
                  "Logging": { "Type": "File" } } }
                """
            )
        );
        Assert.Contains("emulator ready: hub 'hub' with 4 partitions, queue 'work', queue 'plain', topic 'news'", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Unsupported_members_are_refused_one_by_one_with_an_alternative()
    {
        Assert.Equal(
            2,
            await RunAsync(
                """
                { "UserConfig": { "Namespaces": [ { "Name": "one",
                  "Queues": [ { "Name": "a", "Properties": { "RequiresSession": true, "LockDuration": "1 minute" } },
                    { "Name": "b", "Properties": { "LockDuration": "PT10M", "MaxDeliveryCount": 0, "ForwardTo": "nowhere", "Colour": 1 } } ],
                  "Topics": [ { "Name": "t", "Subscriptions": [ { "Name": "s", "Rules": [
                    { "Name": "r", "Properties": { "FilterType": "Regex" } },
                    { "Name": "q", "Properties": { "FilterType": "Sql", "SqlFilter": { "SqlExpression": "a = 1" }, "Action": { "SqlExpression": "SET a = 2" } } } ] } ] } ] },
                  { "Name": "two" } ] } }
                """
            )
        );
        string[] expected =
        [
            "2: 'UserConfig.Namespaces[0].Queues[0].Properties.RequiresSession' true: sessions are not supported, write false",
            "2: 'UserConfig.Namespaces[0].Queues[0].Properties.LockDuration' '1 minute': not a duration, write \"PT30S\" or \"PT1M\"",
            "3: 'UserConfig.Namespaces[0].Queues[1].Properties.LockDuration' '10m': allowed 1s to 5m",
            "3: 'UserConfig.Namespaces[0].Queues[1].Properties.MaxDeliveryCount' 0: allowed 1 to 2147483647",
            "3: 'UserConfig.Namespaces[0].Queues[1].Properties.ForwardTo' 'nowhere': no queue and no topic of this name",
            "3: 'UserConfig.Namespaces[0].Queues[1].Properties.Colour': unknown",
            "5: 'UserConfig.Namespaces[0].Topics[0].Subscriptions[0].Rules[0].Properties.FilterType' 'Regex': unknown. Known: Sql, Correlation",
            "6: 'UserConfig.Namespaces[0].Topics[0].Subscriptions[0].Rules[1].Properties.Action': actions of rules are not supported, remove it",
            "7: 'UserConfig.Namespaces[1]': only one namespace is supported, write all entities into the first one",
        ];
        var lines = _error.ToString().TrimEnd().Split('\n');
        Assert.All(expected, problem => Assert.Contains(lines, line => line.StartsWith($"error: {File}:{problem}", StringComparison.Ordinal)));
        Assert.Equal(expected.Length, lines.Length);
    }

    [Fact]
    public async Task The_form_of_Microsoft_allows_no_other_members_beside_it()
    {
        Assert.Equal(2, await RunAsync("""{ "UserConfig": { "NamespaceConfig": [] }, "hubs": [] }"""));
        Assert.Contains(
            "'hubs': cannot be combined with 'UserConfig', the form of Microsoft's emulators. Write all entities in one of the two forms",
            _error.ToString(),
            StringComparison.Ordinal
        );
    }

    private async Task<int> RunAsync(string json)
    {
        await System.IO.File.WriteAllTextAsync(File, json, TestContext.Current.CancellationToken);
        var console = new CommandConsole(_output, _error, static _ => null);
        var command = new EmulatorCommand(console, new StopRequest(static () => Stream.Null, handlesSignals: false));
        return await CommandHost.RunAsync(command.Root, ["--settings", File, "--exit-with-stdin"], console, TestContext.Current.CancellationToken);
    }
}
