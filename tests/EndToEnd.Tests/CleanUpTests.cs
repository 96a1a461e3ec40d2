using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Services;
using EventHubThroughput.Processes;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary><c>compare --clean-up</c> on a foreign namespace, which is administered over HTTPS.</summary>
public sealed class CleanUpTests : IDisposable
{
    private const string Comparison = "compare-0123abcd";

    private static readonly ServiceEntity[] All =
    [
        new(EntityKind.ConsumerGroup, "eht-0123abcd-0"),
        new(EntityKind.Queue, "eht-0123abcd-queue-0"),
        new(EntityKind.Container, "eht-0123abcd-archive-0"),
    ];

    private readonly TemporaryFolder folder = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => folder.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_a_killed_comparison_left_is_removed_over_TLS_with_a_key_or_with_Entra_ID(bool withEntraId)
    {
        await using var identity = await IdentityEndpoint.StartAsync(refuses: false, Cancellation);
        await using var space = await TlsNamespace.StartAsync("--allow-anonymous", identity, Cancellation);
        space.OpenHttps();
        var file = await LeaveAsync(space);
        Assert.Equal(3, await space.CountEntitiesAsync(ServiceEntity.Prefix, Cancellation));

        var removed = await Programs.ConsumerAsync($"compare --clean-up {file}", withEntraId ? space.Settings : space.KeySettings, Cancellation);

        Assert.Equal((0, $"removed all entities that {file} names, and the file\n", ""), (removed.ExitCode, removed.Output, removed.Error));
        Assert.Equal(0, await space.CountEntitiesAsync(ServiceEntity.Prefix, Cancellation));
        Assert.False(File.Exists(file));
        Assert.Equal(withEntraId ? 3 : 0, identity.Resources.Count);
    }

    [Fact]
    public async Task A_right_that_is_missing_ends_it_with_4_and_keeps_the_file()
    {
        await using var space = await TlsNamespace.StartAsync("--policies reader=Listen", identity: null, Cancellation);
        space.OpenHttps();
        var file = await LeaveAsync(space);

        var refused = await Programs.ConsumerAsync($"sweep --clean-up {file}", space.WithPolicies("reader", "reader"), Cancellation);

        Assert.Equal((4, $"2 of 3 entities remain, and {file} with them\n"), (refused.ExitCode, refused.Output));
        Assert.Contains(
            "error: not authorized for queue 'eht-0123abcd-queue-0': needs the right Manage on the namespace",
            refused.Error,
            StringComparison.Ordinal
        );
        Assert.True(File.Exists(file));
    }

    [Theory]
    [InlineData("compare --clean-up none.json", true, "--clean-up none.json: not found")]
    [InlineData("compare --clean-up none.json --degree 3", true, "--clean-up: cannot be combined with --degree, since no strategy is run")]
    [InlineData(
        "sweep --clean-up none.json",
        false,
        "--clean-up: the services are not named, set the connection settings of the comparison in the environment"
    )]
    public async Task A_command_line_that_cannot_be_used_ends_with_2_and_the_reason(string line, bool withSettings, string problem)
    {
        const string messages = "Endpoint=sb://127.0.0.1:1;SharedAccessKeyName=a;SharedAccessKey=YQ==;UseDevelopmentEmulator=true";
        var settings = new Dictionary<string, string>
        {
            ["EVENTHUB_CONNECTION_STRING"] = messages,
            ["EVENTHUB_NAME"] = "hub",
            ["SERVICEBUS_CONNECTION_STRING"] = messages,
            ["SERVICEBUS_QUEUE"] = "queue",
            ["STORAGE_CONNECTION_STRING"] = "AccountName=account;AccountKey=YQ==;BlobEndpoint=http://127.0.0.1:1/account",
        };

        var refused = await Programs.ConsumerAsync(line, withSettings ? settings : [], Cancellation);

        Assert.Equal((2, $"error: {problem}\n"), (refused.ExitCode, refused.Error));
    }

    // As a comparison leaves it that is killed: entities and the state file.
    private async Task<string> LeaveAsync(TlsNamespace space)
    {
        var settings = MessagingSettings.FromEnvironment(space.Emulator.Settings.GetValueOrDefault, SettingsScope.Consumer).Require();
        using var killed = CreatedEntities.Begin(settings, Comparison, folder.File(""), All, TimeProvider.System);
        await killed.CreateAsync(All, Cancellation);
        var text = await File.ReadAllTextAsync(killed.StateFile, Cancellation);
        var file = folder.File("left.json");

        // Its addresses are those without TLS.
        var secured = MessagingSettings.FromEnvironment(space.KeySettings.GetValueOrDefault, SettingsScope.Consumer).Require();
        await File.WriteAllTextAsync(file, text.Replace(GetStorage(settings), GetStorage(secured), StringComparison.Ordinal), Cancellation);
        return file;
    }

    private static string GetStorage(MessagingSettings settings) =>
        string.Create(
            System.Globalization.CultureInfo.InvariantCulture,
            $"{settings.GetAddress(ProbedService.Storage).Host}:{settings.GetAddress(ProbedService.Storage).Port}"
        );
}
