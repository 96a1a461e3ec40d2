using Xunit;

namespace EventHubThroughput.Clients.Tests;

public sealed class MessagingSettingsTests
{
    private const string Secret = "Y2FuYXJ5LXNlY3JldA==";
    private const string EventHub = $"Endpoint=sb://127.0.0.1:5680;SharedAccessKeyName=Root;SharedAccessKey={Secret};UseDevelopmentEmulator=true";
    private const string ServiceBus = $"Endpoint=sb://127.0.0.1:5681;SharedAccessKeyName=Root;SharedAccessKey={Secret};UseDevelopmentEmulator=true";
    private const string Storage = $"DefaultEndpointsProtocol=http;AccountName=account;AccountKey={Secret};BlobEndpoint=http://127.0.0.1:10000/account;";

    private static readonly Dictionary<string, string> Complete = new(StringComparer.Ordinal)
    {
        ["EVENTHUB_CONNECTION_STRING"] = EventHub,
        ["EVENTHUB_NAME"] = "hub",
        ["SERVICEBUS_CONNECTION_STRING"] = ServiceBus,
        ["SERVICEBUS_QUEUE"] = "queue",
        ["STORAGE_CONNECTION_STRING"] = Storage,
    };

    [Fact]
    public void Finds_nothing_in_an_empty_environment() => Assert.True(Read([]).IsNone);

    [Theory]
    [InlineData("EVENTHUB_CONNECTION_STRING", "", "EVENTHUB_CONNECTION_STRING: set, but blank")]
    [InlineData("STORAGE_CONNECTION_STRING", " ", "STORAGE_CONNECTION_STRING: set, but blank")]
    [InlineData("EMULATOR_ADMIN_URL", "http://127.0.0.1:1", "EVENTHUB_CONNECTION_STRING: not set, although EMULATOR_ADMIN_URL is")]
    public void Takes_settings_that_cannot_be_used_for_no_empty_environment(string name, string value, string problem)
    {
        var result = Read(new() { [name] = value });
        Assert.Equal([problem], result.Problems);
        Assert.False(result.IsNone);
    }

    [Theory]
    [InlineData("STORAGE_CONTAINER", "deadletters", "STORAGE_CONTAINER and DEADLETTER_CONTAINER: both 'deadletters', must be different containers")]
    [InlineData("DEADLETTER_CONTAINER", "archive", "STORAGE_CONTAINER and DEADLETTER_CONTAINER: both 'archive', must be different containers")]
    [InlineData("CHECKPOINT_CONTAINER", "archive", "STORAGE_CONTAINER and CHECKPOINT_CONTAINER: both 'archive', must be different containers")]
    [InlineData("CHECKPOINT_CONTAINER", "deadletters", "CHECKPOINT_CONTAINER and DEADLETTER_CONTAINER: both 'deadletters', must be different containers")]
    public void One_container_for_two_purposes_is_refused(string name, string value, string problem) =>
        Assert.Equal([problem], Read(new(Complete, StringComparer.Ordinal) { [name] = value }).Problems);

    [Theory]
    [InlineData(null, MessagingTransport.Tcp)]
    [InlineData("tcp", MessagingTransport.Tcp)]
    [InlineData(" websockets ", MessagingTransport.WebSockets)]
    public void The_transport_is_chosen_for_all_services(string? text, MessagingTransport transport)
    {
        var variables = new Dictionary<string, string>(Complete, StringComparer.Ordinal);
        if (text is not null)
        {
            variables["MESSAGING_TRANSPORT"] = text;
        }

        Assert.Equal(transport, Read(variables).Require().Transport);
        Assert.Equal(transport, Read(variables, SettingsScope.Sender).Require().Transport);
    }

    [Fact]
    public void The_transport_variable_alone_names_no_service_and_its_value_is_validated()
    {
        const string Problem = "MESSAGING_TRANSPORT: 'carrier pigeon', allowed tcp or websockets";
        Assert.True(Read(new() { ["MESSAGING_TRANSPORT"] = "websockets" }).IsNone);
        Assert.Equal([Problem], Read(new() { ["MESSAGING_TRANSPORT"] = "carrier pigeon" }).Problems);
        Assert.Equal([Problem], Read(new(Complete, StringComparer.Ordinal) { ["MESSAGING_TRANSPORT"] = "carrier pigeon" }).Problems);
    }

    [Fact]
    public void A_sender_sees_nothing_of_the_other_services() => Assert.True(Read(new() { ["SERVICEBUS_QUEUE"] = "queue" }, SettingsScope.Sender).IsNone);

    [Fact]
    public void Processing_needs_no_queue_and_looks_at_none()
    {
        Dictionary<string, string> variables = new(Complete, StringComparer.Ordinal) { ["SERVICEBUS_CONNECTION_STRING"] = "nonsense" };
        variables.Remove("SERVICEBUS_QUEUE");

        var settings = Read(variables, SettingsScope.Processing).Require();

        Assert.Equal(("hub", "archive"), (settings.EventHubName, settings.ArchiveContainer));
        Assert.NotNull(settings.Storage);
        Assert.Null(settings.ServiceBus);
    }

    [Fact]
    public void Processing_lists_every_problem_and_no_secret()
    {
        var found = Read(
            new()
            {
                ["EVENTHUB_CONNECTION_STRING"] = EventHub,
                ["STORAGE_CONTAINER"] = "No",
                ["CHECKPOINT_CONTAINER"] = "x",
            },
            SettingsScope.Processing
        );

        Assert.Equal(
            ["EVENTHUB_NAME", "STORAGE_CONNECTION_STRING", "STORAGE_CONTAINER", "CHECKPOINT_CONTAINER"],
            found.Problems.Select(problem => problem.Split(':')[0])
        );
        var thrown = Assert.Throws<InvalidOperationException>(found.Require);
        Assert.Equal(found.Problems, thrown.Message.Split('\n'));
        Assert.DoesNotContain(Secret, thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Required_settings_of_which_none_is_set_are_a_problem() =>
        Assert.Contains(
            "EVENTHUB_CONNECTION_STRING: not set",
            Assert.Throws<InvalidOperationException>(Read([], SettingsScope.Processing).Require).Message,
            StringComparison.Ordinal
        );

    [Fact]
    public void Fills_in_the_usual_names()
    {
        var settings = Read(Complete).Settings;
        Assert.NotNull(settings);
        Assert.Equal(
            ("hub", "$Default", "queue", "archive", "checkpoints", "deadletters"),
            (
                settings.EventHubName,
                settings.ConsumerGroup,
                settings.MessageEntity,
                settings.ArchiveContainer,
                settings.CheckpointContainer,
                settings.DeadLetterContainer
            )
        );
    }

    [Fact]
    public void A_sender_needs_the_event_hub_only()
    {
        var settings = Read(new() { ["EVENTHUB_CONNECTION_STRING"] = EventHub + ";EntityPath=hub" }, SettingsScope.Sender).Settings;
        Assert.Equal("hub", settings?.EventHubName);
        Assert.Null(settings?.ServiceBus);
    }

    [Fact]
    public void All_missing_variables_are_listed_together() =>
        Assert.Equal(
            [
                "EVENTHUB_CONNECTION_STRING: not set",
                "SERVICEBUS_CONNECTION_STRING: not set",
                "SERVICEBUS_QUEUE: not set, nor is SERVICEBUS_TOPIC",
                "STORAGE_CONNECTION_STRING: not set",
            ],
            Read(new() { ["EVENTHUB_NAME"] = "hub" }).Problems
        );

    [Theory]
    [InlineData("EVENTHUB_CONNECTION_STRING", "SharedAccessKeyName=Root;SharedAccessKey=" + Secret, "EVENTHUB_CONNECTION_STRING: 'Endpoint' missing")]
    [InlineData("STORAGE_CONNECTION_STRING", "AccountKey=" + Secret, "STORAGE_CONNECTION_STRING: 'AccountName' missing")]
    [InlineData("EVENTHUB_NAMESPACE", "ns.example.net", "EVENTHUB_NAMESPACE and EVENTHUB_CONNECTION_STRING: both set, choose one")]
    [InlineData("STORAGE_ACCOUNT_URL", "https://a.example.net", "STORAGE_ACCOUNT_URL and STORAGE_CONNECTION_STRING: both set, choose one")]
    [InlineData("SERVICEBUS_TOPIC", "topic", "SERVICEBUS_QUEUE and SERVICEBUS_TOPIC: both set, choose one")]
    [InlineData(
        "STORAGE_CONTAINER",
        "Not_Allowed",
        "STORAGE_CONTAINER: 'Not_Allowed' is not a container name, allowed are 3 to 63 lower-case letters, digits and single hyphens"
    )]
    [InlineData(
        "EVENTHUB_CONNECTION_STRING",
        "Endpoint=sb://ns.example.net;SharedAccessKeyName=Root;SharedAccessKey=" + Secret + ";UseDevelopmentEmulator=true",
        "EVENTHUB_CONNECTION_STRING: UseDevelopmentEmulator is allowed for loopback hosts only, got 'ns.example.net'"
    )]
    [InlineData(
        "EVENTHUB_CONNECTION_STRING",
        EventHub + ";EntityPath=other",
        "EVENTHUB_NAME: 'hub' differs from 'EntityPath' of EVENTHUB_CONNECTION_STRING, which is 'other'"
    )]
    public void Names_the_variable_and_what_is_wrong(string name, string value, string problem)
    {
        var result = Read(new(Complete, StringComparer.Ordinal) { [name] = value });
        Assert.Equal([problem], result.Problems);
        Assert.Null(result.Settings);
    }

    [Theory]
    [InlineData("EVENTHUB", "sb://ns.example.net")]
    [InlineData("EVENTHUB", "ns.example.net:5671")]
    [InlineData("SERVICEBUS", "ns")]
    [InlineData("SERVICEBUS", "Endpoint=sb://x;SharedAccessKey=" + Secret)]
    public void Names_a_namespace_that_is_none_without_showing_it(string service, string value)
    {
        var variables = new Dictionary<string, string>(Complete, StringComparer.Ordinal) { [$"{service}_NAMESPACE"] = value };
        variables.Remove($"{service}_CONNECTION_STRING");
        Assert.Equal([$"{service}_NAMESPACE: not a fully qualified host name, allowed is one like NAME.servicebus.windows.net"], Read(variables).Problems);
    }

    [Theory]
    [InlineData("account.blob.core.windows.net")]
    [InlineData("http://account.blob.core.windows.net")]
    [InlineData("https://account.blob.core.windows.net/?sig=" + Secret)]
    public void Names_an_account_address_that_is_none_without_showing_it(string value)
    {
        var variables = new Dictionary<string, string>(Complete, StringComparer.Ordinal) { ["STORAGE_ACCOUNT_URL"] = value };
        variables.Remove("STORAGE_CONNECTION_STRING");
        Assert.Equal(
            ["STORAGE_ACCOUNT_URL: not an https address without a query, allowed is one like https://ACCOUNT.blob.core.windows.net"],
            Read(variables).Problems
        );
    }

    [Fact]
    public void Entra_ID_vouches_for_the_services_that_have_no_key_and_for_no_other()
    {
        var variables = new Dictionary<string, string>(Complete, StringComparer.Ordinal)
        {
            ["EVENTHUB_NAMESPACE"] = "hubs.example.net",
            ["STORAGE_ACCOUNT_URL"] = "https://account.blob.example.net/",
        };
        variables.Remove("EVENTHUB_CONNECTION_STRING");
        variables.Remove("STORAGE_CONNECTION_STRING");

        var settings = Read(variables).Settings!;

        Assert.Equal(["EVENTHUB_NAMESPACE", "STORAGE_ACCOUNT_URL"], settings.ByEntraId);
        Assert.Equal(("hubs.example.net", 5671, "account"), (settings.EventHubNamespace, settings.EventHub.EffectivePort, settings.Storage!.AccountName));
        Assert.DoesNotContain("Key=", settings.EventHub.ToString() + settings.Storage, StringComparison.Ordinal);
    }

    [Fact]
    public void The_built_in_clients_name_the_family_that_takes_Entra_ID()
    {
        var settings = Read(new() { ["EVENTHUB_NAMESPACE"] = "hubs.example.net", ["EVENTHUB_NAME"] = "hub" }, SettingsScope.Sender).Settings!;
        var refused = Assert.Throws<MessagingException>(() => ClientFamily.BuiltIn.Connect(settings, new ClientOptions()));
        Assert.Equal("EVENTHUB_NAMESPACE: Entra ID needs --clients=official", refused.Message);
    }

    [Fact]
    public void Takes_a_topic_in_place_of_a_queue()
    {
        var variables = new Dictionary<string, string>(Complete, StringComparer.Ordinal) { ["SERVICEBUS_QUEUE"] = " ", ["SERVICEBUS_TOPIC"] = "topic" };
        Assert.Equal("topic", Read(variables).Settings?.MessageEntity);
    }

    [Fact]
    public void Its_text_shows_no_secret()
    {
        var text = Read(Complete).Settings!.ToString();
        Assert.Contains("hub", text, StringComparison.Ordinal);
        Assert.DoesNotContain(Secret, text, StringComparison.Ordinal);
    }

    private static SettingsResult Read(Dictionary<string, string> variables, SettingsScope scope = SettingsScope.Consumer) =>
        MessagingSettings.FromEnvironment(variables.GetValueOrDefault, scope);
}
