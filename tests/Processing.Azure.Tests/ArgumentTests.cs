using Azure.Messaging.EventHubs.Primitives;
using Azure.Storage.Blobs;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Processing.Azure.Tests;

/// <summary>Arguments that cannot be used are refused by the constructors, with their names and without secrets.</summary>
public sealed class ArgumentTests
{
    private const string Secret = "c2VjcmV0";
    private const string ConnectionString = $"Endpoint=sb://orders.example.net;SharedAccessKeyName=Root;SharedAccessKey={Secret}";

    private static readonly BlobContainerClient Checkpoints = new(new Uri("https://orders.example.net/checkpoints"));

    public static TheoryData<string, string?, string?, string?, string> ByConnectionString =>
        new()
        {
            { "consumerGroup", "", ConnectionString, "orders", "" },
            { "consumerGroup", null, ConnectionString, "orders", "" },
            { "connectionString", "$Default", null, "orders", "" },
            { "connectionString", "$Default", "", "orders", "" },
            { "connectionString", "$Default", $"Endpoint sb://orders.example.net;SharedAccessKey={Secret}", "orders", "malformed" },
            { "connectionString", "$Default", $"SharedAccessKeyName=Root;SharedAccessKey={Secret}", "orders", "no Endpoint" },
            { "connectionString", "$Default", "Endpoint=sb://orders.example.net", "orders", "neither SharedAccessKeyName and SharedAccessKey" },
            { "eventHubName", "$Default", ConnectionString, null, "" },
            { "eventHubName", "$Default", ConnectionString, " ", "" },
            { "eventHubName", "$Default", $"{ConnectionString};EntityPath=others", "orders", "'orders' differs from the EntityPath" },
        };

    [Theory]
    [MemberData(nameof(ByConnectionString))]
    public void An_argument_beside_a_connection_string_is_refused_by_its_name(
        string parameter,
        string? group,
        string? connectionString,
        string? hub,
        string message
    ) => AssertRefused(parameter, message, () => new ConcurrentEventProcessor(Checkpoints, group!, connectionString!, hub!, HandleAsync));

    [Fact]
    public void A_connection_string_alone_needs_an_EntityPath() =>
        AssertRefused("connectionString", "no EntityPath", () => new ConcurrentEventProcessor(Checkpoints, "$Default", ConnectionString, HandleAsync));

    [Theory]
    [InlineData("fullyQualifiedNamespace", null, "orders", true)]
    [InlineData("fullyQualifiedNamespace", "", "orders", true)]
    [InlineData("fullyQualifiedNamespace", "orders example", "orders", true)]
    [InlineData("fullyQualifiedNamespace", "orders.example.net/path", "orders", true)]
    [InlineData("fullyQualifiedNamespace", "orders.example.net:5671", "orders", true)]
    [InlineData("eventHubName", "orders.example.net", null, true)]
    [InlineData("eventHubName", "orders.example.net", "", true)]
    [InlineData("credential", "orders.example.net", "orders", false)]
    public void An_argument_beside_a_credential_is_refused_by_its_name(string parameter, string? host, string? hub, bool hasCredential) =>
        AssertRefused(
            parameter,
            "",
            () => new ConcurrentEventProcessor(Checkpoints, "$Default", host!, hub!, hasCredential ? new FixedCredential("") : null!, HandleAsync)
        );

    [Theory]
    [InlineData("orders.servicebus.windows.net")]
    [InlineData("sb://orders.servicebus.windows.net/")]
    [InlineData("https://orders.servicebus.windows.net:443/")]
    public async Task A_namespace_is_a_host_or_its_address(string host)
    {
        await using var processor = new ConcurrentEventProcessor(Checkpoints, "$Default", host, "orders", new FixedCredential(""), HandleAsync);

        Assert.Empty(processor.OwnedPartitions);
    }

    [Fact]
    public void A_missing_container_handler_or_list_of_sinks_is_refused_by_its_name()
    {
        AssertRefused("checkpointStore", "", static () => new ConcurrentEventProcessor(null!, "$Default", ConnectionString, "orders", HandleAsync));
        AssertRefused(
            "handler",
            "",
            static () =>
                new ConcurrentEventProcessor(Checkpoints, "$Default", ConnectionString, "orders", (Func<ReceivedEvent, CancellationToken, ValueTask>)null!)
        );
        AssertRefused(
            "sinks",
            "",
            static () => new ConcurrentEventProcessor(Checkpoints, "$Default", ConnectionString, "orders", (IReadOnlyList<SinkDescriptor>)null!)
        );
        AssertRefused("sinks", "", static () => new ConcurrentEventProcessor(Checkpoints, "$Default", ConnectionString, "orders", sinks: []));
    }

    [Fact]
    public void Options_are_refused_with_all_their_problems_a_line_each()
    {
        var options = new ConcurrentEventProcessorOptions { Prefetch = -1, OnPoison = PoisonPolicy.DeadLetter };

        string[] problems = ["Prefetch -1: allowed 0 to 10000", "OnPoison DeadLetter: needs DeadLetters, the container of the dead letters"];
        var refused = Assert.Throws<InvalidOptionsException>(() =>
            new ConcurrentEventProcessor(Checkpoints, "$Default", ConnectionString, "orders", HandleAsync, options)
        );
        Assert.Equal("options", refused.ParamName);
        Assert.Equal(problems, refused.Problems);
        Assert.Equal(problems, Assert.Throws<InvalidOptionsException>(options.Validate).Problems);
    }

    /// <summary>EventProcessorOptions of the package: renewed every 30 s, expired after 2 min.</summary>
    [Fact]
    public void Ownerships_of_an_EventProcessorClient_that_it_renews_in_time_are_not_taken()
    {
        var theirs = new EventProcessorOptions();

        Assert.Equal(theirs.PartitionOwnershipExpirationInterval, new ConcurrentEventProcessorOptions().OwnershipExpiry);
        Assert.True(new ConcurrentEventProcessorOptions().BalancingInterval <= theirs.LoadBalancingUpdateInterval);
        Assert.Equal(TimeSpan.FromMinutes(5), new ConcurrentEventProcessorOptions { OwnershipExpiry = TimeSpan.FromMinutes(5) }.OwnershipExpiry);
    }

    [Fact]
    public void The_container_of_the_checkpoints_takes_no_dead_letters()
    {
        var options = new ConcurrentEventProcessorOptions { DeadLetters = new BlobContainerClient(Checkpoints.Uri) };

        var refused = Assert.Throws<InvalidOptionsException>(() =>
            new ConcurrentEventProcessor(Checkpoints, "$Default", ConnectionString, "orders", HandleAsync, options)
        );

        Assert.Equal(["DeadLetters 'checkpoints': is the container of the checkpoints, must be another one"], refused.Problems);
    }

    private static ValueTask HandleAsync(ReceivedEvent received, CancellationToken cancellationToken) => ValueTask.CompletedTask;

    private static void AssertRefused(string parameter, string message, Func<ConcurrentEventProcessor> make)
    {
        var refused = Assert.ThrowsAny<ArgumentException>(make);
        Assert.Equal(parameter, refused.ParamName);
        Assert.Contains(message, refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(Secret, refused.ToString(), StringComparison.Ordinal);
    }
}
