using System.Net.Http.Headers;
using System.Text;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Services;
using EventHubThroughput.Settings;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>The entities that a comparison creates on services: created, removed, found again after a kill, and no other entity touched.</summary>
public sealed class CreatedEntitiesTests : IDisposable
{
    private const string Comparison = "compare-0123abcd";

    private static readonly ServiceEntity[] All =
    [
        new(EntityKind.ConsumerGroup, "eht-0123abcd-0"),
        new(EntityKind.Queue, "eht-0123abcd-queue-0"),
        new(EntityKind.Topic, "eht-0123abcd-topic-0"),
        new(EntityKind.Subscription, "all", "eht-0123abcd-topic-0"),
        new(EntityKind.Container, "eht-0123abcd-archive-0"),
    ];

    private readonly TemporaryFolder folder = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task Entities_of_each_kind_are_created_and_removed_with_the_state_file()
    {
        await using var emulator = await EmulatorProcess.StartAsync("", Cancellation);
        using var created = Begin(emulator);

        await created.CreateAsync(All, Cancellation);
        Assert.Equal(["eht-0123abcd-0"], await ListAsync(emulator, "hubs", "consumerGroups"));
        Assert.Equal(["eht-0123abcd-queue-0"], await ListAsync(emulator, "queues", "name"));
        Assert.Equal(["eht-0123abcd-topic-0"], await ListAsync(emulator, "topics", "name"));
        Assert.Equal(["eht-0123abcd-archive-0"], await ListAsync(emulator, "containers", "name"));

        // An earlier try of the same comparison may have created them.
        await created.CreateAsync(All, Cancellation);
        Assert.Empty(await created.RemoveAllAsync(Cancellation));

        await AssertNothingIsLeftAsync(emulator);
        Assert.False(File.Exists(created.StateFile));
    }

    [Fact]
    public async Task The_state_file_names_every_entity_before_the_first_one_is_created_and_has_no_secret()
    {
        await using var emulator = await EmulatorProcess.StartAsync("", Cancellation);
        using var created = Begin(emulator);

        var text = await ReadAsync(created.StateFile);

        await AssertNothingIsLeftAsync(emulator);
        Assert.All(All, one => Assert.Contains($"\"{one.Name}\"", text, StringComparison.Ordinal));
        Assert.DoesNotContain(GetSettings(emulator).EventHub.Key!, text, StringComparison.Ordinal);
        Assert.DoesNotContain("AccountKey", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_a_killed_comparison_left_is_removed_by_its_state_file()
    {
        await using var emulator = await EmulatorProcess.StartAsync("", Cancellation);
        string file;
        using (var killed = Begin(emulator))
        {
            file = killed.StateFile;
            await killed.CreateAsync(All[..3], Cancellation);

            var running = Assert.Throws<UsageException>(() => CreatedEntities.Open("--clean-up", file, GetSettings(emulator), TimeProvider.System));
            Assert.Equal([$"--clean-up {file}: its comparison still runs. End it, or wait for its end"], running.Problems);
        }

        using var found = CreatedEntities.Open("--clean-up", file, GetSettings(emulator), TimeProvider.System);
        Assert.Empty(await found.RemoveAllAsync(Cancellation));

        await AssertNothingIsLeftAsync(emulator);
        Assert.False(File.Exists(file));
    }

    [Fact]
    public async Task An_entity_that_was_there_before_is_neither_used_nor_removed()
    {
        await using var emulator = await EmulatorProcess.StartAsync("", Cancellation);
        foreach (var path in (string[])["queues/eht-0123abcd-queue-0", "topics/eht-0123abcd-topic-0", "containers/eht-0123abcd-archive-0"])
        {
            await PutAsync(emulator, path);
        }

        using var created = Begin(emulator);
        foreach (var (one, subject) in (IEnumerable<(int, string)>)[(1, "queue"), (2, "topic"), (4, "container")])
        {
            var refused = await Assert.ThrowsAsync<FailureException>(() => created.CreateAsync([All[one]], Cancellation));
            Assert.Equal(FailureCause.Dependency, refused.Cause);
            Assert.StartsWith($"{subject} '{All[one].Name}' exists already", refused.Message, StringComparison.Ordinal);
        }

        // After a kill only the state file is known.
        File.Copy(created.StateFile, folder.File("killed.entities.json"));
        Assert.Empty(await created.RemoveAllAsync(Cancellation));
        Assert.False(File.Exists(created.StateFile));
        using var killed = CreatedEntities.Open("--clean-up", folder.File("killed.entities.json"), GetSettings(emulator), TimeProvider.System);
        var left = await killed.RemoveAllAsync(Cancellation);
        Assert.Equal(
            ["container 'eht-0123abcd-archive-0'", "queue 'eht-0123abcd-queue-0'", "topic 'eht-0123abcd-topic-0'"],
            left.Select(static one => one[..one.IndexOf(" was not created by", StringComparison.Ordinal)])
        );
        Assert.Equal(["eht-0123abcd-queue-0"], await ListAsync(emulator, "queues", "name"));
        Assert.Equal(["eht-0123abcd-archive-0"], await ListAsync(emulator, "containers", "name"));
        Assert.True(File.Exists(killed.StateFile));
    }

    [Theory]
    [InlineData("reader", "the namespace '127.0.0.1'")]
    public async Task A_right_that_is_missing_is_named_with_what_the_user_can_do(string policy, string entity)
    {
        await using var emulator = await EmulatorProcess.StartAsync("--policies reader=Listen", Cancellation);
        var settings = GetSettings(emulator, emulator.Settings[$"EMULATOR_POLICY_{policy.ToUpperInvariant()}"]);
        using var created = CreatedEntities.Begin(settings, Comparison, folder.File(""), All, TimeProvider.System);
        foreach (var one in All[..3])
        {
            var refused = await Assert.ThrowsAsync<FailureException>(() => created.CreateAsync([one], Cancellation));
            Assert.Equal(FailureCause.Dependency, refused.Cause);
            Assert.Contains(
                $"needs the right Manage on {entity}. Cure: give the policy '{policy}' the right Manage on",
                refused.Message,
                StringComparison.Ordinal
            );
            Assert.EndsWith("or name entities that exist with --entities FILE", refused.Message, StringComparison.Ordinal);
        }

        await AssertNothingIsLeftAsync(emulator);
    }

    [Theory]
    [InlineData("{}", "not the state file of a comparison (*.entities.json)")]
    [InlineData("nonsense", "not the state file of a comparison (*.entities.json)")]
    [InlineData(
        """{"comparison":"a","eventHubNamespace":"b","eventHub":"c","serviceBusNamespace":"d","storage":"e","entities":[{"kind":"queue","name":"orders"}]}""",
        "'orders' does not begin with eht-, so no comparison created it"
    )]
    [InlineData(
        """{"comparison":"a","eventHubNamespace":"other","eventHub":"hub","serviceBusNamespace":"127.0.0.1","storage":"127.0.0.1:1","entities":[]}""",
        "its entities are on 'other', and the environment (EVENTHUB_CONNECTION_STRING) names '127.0.0.1'"
    )]
    public async Task A_file_that_is_not_a_state_file_of_these_services_is_refused(string content, string problem)
    {
        var file = folder.File("some.json");
        await File.WriteAllTextAsync(file, content, Cancellation);
        const string messages = "Endpoint=sb://127.0.0.1:1;SharedAccessKeyName=a;SharedAccessKey=YQ==;UseDevelopmentEmulator=true";
        var settings = MessagingSettings
            .FromEnvironment(
                new Dictionary<string, string>
                {
                    ["EVENTHUB_CONNECTION_STRING"] = messages,
                    ["EVENTHUB_NAME"] = "hub",
                    ["SERVICEBUS_CONNECTION_STRING"] = messages,
                    ["SERVICEBUS_QUEUE"] = "queue",
                    ["STORAGE_CONNECTION_STRING"] = "AccountName=account;AccountKey=YQ==;BlobEndpoint=http://127.0.0.1:1/account",
                }.GetValueOrDefault,
                SettingsScope.Consumer
            )
            .Require();

        var refused = Assert.Throws<UsageException>(() => CreatedEntities.Open("--clean-up", file, settings, TimeProvider.System));

        Assert.Contains($"--clean-up {file}: {problem}", refused.Problems);
    }

    private CreatedEntities Begin(EmulatorProcess emulator) =>
        CreatedEntities.Begin(GetSettings(emulator), Comparison, folder.File(""), All, TimeProvider.System);

    private static MessagingSettings GetSettings(EmulatorProcess emulator, string? credential = null)
    {
        var variables = emulator.Settings.ToDictionary();
        if (credential is not null)
        {
            var endpoint = variables["EVENTHUB_CONNECTION_STRING"].Split(';')[0];
            variables["EVENTHUB_CONNECTION_STRING"] = $"{endpoint};{credential};UseDevelopmentEmulator=true";
            endpoint = variables["SERVICEBUS_CONNECTION_STRING"].Split(';')[0];
            variables["SERVICEBUS_CONNECTION_STRING"] = $"{endpoint};{credential};UseDevelopmentEmulator=true";
        }

        return MessagingSettings.FromEnvironment(variables.GetValueOrDefault, SettingsScope.Consumer).Require();
    }

    private static async Task<string> ReadAsync(string path)
    {
        await using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        using var reader = new StreamReader(file, Encoding.UTF8);
        return await reader.ReadToEndAsync(Cancellation);
    }

    private static async Task AssertNothingIsLeftAsync(EmulatorProcess emulator)
    {
        foreach (
            var (path, member) in (IEnumerable<(string, string)>)[("hubs", "consumerGroups"), ("queues", "name"), ("topics", "name"), ("containers", "name")]
        )
        {
            Assert.Empty(await ListAsync(emulator, path, member));
        }
    }

    // The names of one kind that begin as those of the comparison.
    private static async Task<string[]> ListAsync(EmulatorProcess emulator, string path, string member)
    {
        using var client = GetAdministration(emulator);
        using var document = System.Text.Json.JsonDocument.Parse(await client.GetStringAsync(new Uri(path, UriKind.Relative), Cancellation));
        return
        [
            .. document
                .RootElement.GetProperty(path)
                .EnumerateArray()
                .Select(one => one.GetProperty(member))
                .SelectMany(static value =>
                    value.ValueKind == System.Text.Json.JsonValueKind.Array
                        ? value.EnumerateArray().Select(static name => name.GetString()!)
                        : [value.GetString()!]
                )
                .Where(static name => name.StartsWith("eht-", StringComparison.Ordinal)),
        ];
    }

    private static async Task PutAsync(EmulatorProcess emulator, string path)
    {
        using var client = GetAdministration(emulator);
        using var answer = await client.PutAsync(new Uri(path, UriKind.Relative), content: null, Cancellation);
        answer.EnsureSuccessStatusCode();
    }

    private static HttpClient GetAdministration(EmulatorProcess emulator)
    {
        var client = new HttpClient { BaseAddress = new Uri(emulator.Settings["EMULATOR_ADMIN_URL"]) };
        var key = MessagingConnectionString.Parse(emulator.Settings["EVENTHUB_CONNECTION_STRING"]).Key;
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
        return client;
    }
}
