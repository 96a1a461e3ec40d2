using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Tests.Doubles;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Xunit;

namespace EventHubThroughput.Hosting.Tests;

/// <summary>What a configuration section sets, and what is refused at the start.</summary>
public sealed class HostingOptionsTests : IDisposable
{
    private readonly HostBench bench = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public void A_section_sets_every_option()
    {
        bench
            .WithSection(hub: "clicks", group: "readers")
            .With(
                ("Orders:Transport", "WebSockets"),
                ("Orders:CheckpointContainer", "positions"),
                ("Orders:DeadLetterContainer", "dead"),
                ("Orders:ArchiveContainer", "kept"),
                ("Orders:ServiceBus:Queue", "queue"),
                ("Orders:Strategy", "batched"),
                ("Orders:StrategyOptions:batch-linger", "7"),
                ("Orders:MaxConcurrency", "64"),
                ("Orders:BatchSize", "100"),
                ("Orders:Prefetch", "500"),
                ("Orders:Window", "2000"),
                ("Orders:ReplayLimit", "9000"),
                ("Orders:Checkpoints:Events", "50"),
                ("Orders:Checkpoints:Interval", "00:00:02"),
                ("Orders:OnPoison", "deadLetter"),
                ("Orders:Retries", "3"),
                ("Orders:OperationLimit", "00:00:20"),
                ("Orders:DrainLimit", "00:00:10"),
                ("Orders:DeliveryLimit", "00:05:00"),
                ("Orders:Identifier", "me"),
                ("Orders:BalancingInterval", "00:00:01"),
                ("Orders:OwnershipExpiry", "00:00:04"),
                ("Orders:Balancing", "Balanced"),
                ("Orders:StartingPosition", "Latest"),
                ("Orders:Fencing", "false"),
                ("Orders:AcceptGaps", "true"),
                ("Orders:ExitCodeOnFault", "7")
            );

        ProcessingOptions? processing = null;
        bench.Application.Services.AddEventHubProcessing("orders").Handle((_, _) => ValueTask.CompletedTask).ChangeProcessing(options => processing = options);
        using var host = bench.Build();
        var bound = GetOptions(host);

        Assert.Equal(("clicks", "readers", MessagingTransport.WebSockets), (bound.EventHubName, bound.ConsumerGroup, bound.Transport));
        Assert.Equal(("positions", "dead", "kept"), (bound.CheckpointContainer, bound.DeadLetterContainer, bound.ArchiveContainer));
        Assert.Equal(("queue", 7), (bound.ServiceBus.Queue, bound.ExitCodeOnFault));
        Assert.NotNull(processing);
        Assert.Equal(("batched", 7), (processing.Strategy.Name, processing.StrategyOptions["batch-linger"]));
        Assert.Equal(
            new ProcessingOptions
            {
                Strategy = processing.Strategy,
                StrategyOptions = processing.StrategyOptions,
                MaxConcurrency = 64,
                BatchSize = 100,
                Prefetch = 500,
                Window = 2000,
                ReplayLimit = 9000,
                Checkpoints = new CheckpointOptions { Events = 50, Interval = TimeSpan.FromSeconds(2) },
                OnPoison = PoisonPolicy.DeadLetter,
                Retries = 3,
                OperationLimit = TimeSpan.FromSeconds(20),
                DrainLimit = TimeSpan.FromSeconds(10),
                DeliveryLimit = TimeSpan.FromMinutes(5),
                Identifier = "me",
                BalancingInterval = TimeSpan.FromSeconds(1),
                OwnershipExpiry = TimeSpan.FromSeconds(4),
                Balancing = Balancing.Balanced,
                StartingPosition = StartingPosition.Latest,
                Fencing = false,
                AcceptGaps = true,
                LoggerFactory = bench.Log,
                TimeProvider = bench.Clock,
            },
            processing
        );
    }

    /// <summary>A seed belongs to comparisons, and the delegates and services are not configuration.</summary>
    [Fact]
    public void Every_option_of_processing_is_one_of_a_host()
    {
        string[] inCodeOnly = ["LoggerFactory", "Notice", "Observers", "Seed", "TimeProvider"];
        var ofHost = typeof(EventHubHostingOptions).GetProperties().Select(static property => property.Name);

        var missing = typeof(ProcessingOptions)
            .GetProperties()
            .Where(static property => property.SetMethod is not null)
            .Select(static property => property.Name)
            .Except(ofHost);

        Assert.Equal(inCodeOnly, missing.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Without_a_section_the_options_have_the_defaults_of_processing()
    {
        ProcessingOptions? processing = null;
        bench
            .Application.Services.AddEventHubProcessing("orders")
            .Handle((_, _) => ValueTask.CompletedTask)
            .Configure(static options =>
                (options.ConnectionString, options.EventHubName, options.StorageConnectionString) = (
                    HostBench.HubConnection,
                    "hub",
                    HostBench.StorageConnection
                )
            )
            .ChangeProcessing(options => processing = options);
        using var host = bench.Build();

        Assert.Equal("hub", GetOptions(host).EventHubName);
        var defaults = new ProcessingOptions();
        Assert.Equal(
            defaults with
            {
                Identifier = processing!.Identifier,
                LoggerFactory = bench.Log,
                TimeProvider = bench.Clock,
                StrategyOptions = processing.StrategyOptions,
            },
            processing
        );
        Assert.Empty(processing.StrategyOptions);
    }

    [Theory]
    [InlineData("MaxConcurrency")]
    [InlineData("DrainLimit")]
    [InlineData("OnPoison")]
    [InlineData("Identifier")]
    [InlineData("ConsumerGroup")]
    [InlineData("CheckpointContainer")]
    [InlineData("DeadLetterContainer")]
    [InlineData("FullyQualifiedNamespace")]
    [InlineData("Checkpoints:Interval")]
    public void A_blank_value_counts_as_not_set(string key)
    {
        bench.WithSection().With(($"Orders:{key}", " "));
        bench.Add(new OnePartition(0)).Handle((_, _) => ValueTask.CompletedTask);
        using var host = bench.Build();

        Assert.Empty(ProblemsOf(host));
    }

    [Fact]
    public void A_consumer_group_that_code_makes_blank_is_refused()
    {
        bench.WithSection();
        bench.Add(new OnePartition(0)).Handle((_, _) => ValueTask.CompletedTask).Configure(static options => options.ConsumerGroup = " ");
        using var host = bench.Build();

        Assert.Equal(["Orders:ConsumerGroup: blank, allowed is the name of a consumer group"], ProblemsOf(host));
    }

    [Fact]
    public void Code_wins_over_the_section()
    {
        bench.WithSection().With(("Orders:MaxConcurrency", "8"));
        bench.Add(new OnePartition(0)).Handle((_, _) => ValueTask.CompletedTask).Configure(static options => options.MaxConcurrency = 9);
        using var host = bench.Build();

        Assert.Equal(9, GetOptions(host).MaxConcurrency);
    }

    [Fact]
    public async Task Refuses_to_start_with_every_problem_its_path_and_no_secret()
    {
        bench.With(
            ("Apps:Orders:ConnectionString", HostBench.HubConnection),
            ("Apps:Orders:CheckpointContainer", "No"),
            ("Apps:Orders:MaxConcurrency", "0"),
            ("Apps:Orders:MaxConcurency", HostBench.Secret),
            ("Apps:Orders:Retries", "many"),
            ("Apps:Orders:OnPoison", "DeadLetters"),
            ("Apps:Orders:Balancing", "7"),
            ("Apps:Orders:DrainLimit", "soon"),
            ("Apps:Orders:Fencing", "maybe"),
            ("Apps:Orders:Strategy", "whenall"),
            ("Apps:Orders:Checkpoints:Interval", "2.00:00:00"),
            ("Apps:Orders:Checkpoints:Event", "5")
        );
        bench.Add(new OnePartition(0), section: "Apps:Orders");
        using var host = bench.Build();

        var refused = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync(Cancellation));

        Assert.Equal(
            [
                "Apps:Orders: 0 sinks: allowed 1 to 31, each from a call of Handle or WriteTo",
                "Apps:Orders:Balancing 7: allowed Greedy or Balanced",
                "Apps:Orders:CheckpointContainer 'No': not a container name, allowed are 3 to 63 lower-case letters, digits and single hyphens",
                "Apps:Orders:CheckpointContainer: no storage account. Set the address of the container, StorageConnectionString, or a BlobServiceClient or BlobContainerClient among the services",
                "Apps:Orders:Checkpoints:Event: unknown key",
                "Apps:Orders:Checkpoints:Interval 2.00:00:00: allowed 00:00:00.0010000 to 1.00:00:00",
                "Apps:Orders:DrainLimit 'soon': allowed a time such as 00:00:30",
                "Apps:Orders:EventHubName: not set",
                "Apps:Orders:Fencing 'maybe': allowed true or false",
                "Apps:Orders:MaxConcurency: unknown key",
                "Apps:Orders:MaxConcurrency 0: allowed 1 to 4096",
                "Apps:Orders:OnPoison 'DeadLetters': allowed Block, DeadLetter or Stop",
                "Apps:Orders:Retries 'many': allowed a whole number",
                "Apps:Orders:Strategy 'whenall': unknown. Known: baseline, inloop, outloop, combined, foreachasync, pipelined, keyed, keyed-shards, batched, adaptive",
            ],
            refused.Failures.Order(StringComparer.Ordinal)
        );
        Assert.DoesNotContain(HostBench.Secret, refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("servicebus", new[] { "Orders:ServiceBus:ConnectionString: not set, nor is FullyQualifiedNamespace" })]
    [InlineData("blob", new string[0])]
    public void Needs_Service_Bus_only_where_a_sink_writes_to_it(string sink, string[] problems)
    {
        bench.WithSection();
        bench.Add(new OnePartition(0)).WriteTo(SinkCatalog.Find(sink));
        using var host = bench.Build();

        Assert.Equal(problems, ProblemsOf(host));
    }

    public static TheoryData<string, string, string[]> Connections =>
        new()
        {
            { "ConnectionString", "elsewhere", ["Orders:ConnectionString: neither a connection string nor the name of one among ConnectionStrings"] },
            { "ConnectionString", "Endpoint=sb://127.0.0.1", ["Orders:ConnectionString: 'SharedAccessKeyName' missing"] },
            {
                "ConnectionString",
                "Endpoint=sb://far.example.net;SharedAccessKeyName=Root;SharedAccessKey=a2V5;UseDevelopmentEmulator=true",
                ["Orders:ConnectionString: UseDevelopmentEmulator is allowed for loopback hosts only, got 'far.example.net'"]
            },
            {
                "ConnectionString",
                $"{HostBench.HubConnection};EntityPath=other",
                ["Orders:EventHubName 'hub': differs from EntityPath of the connection string, which is 'other'"]
            },
            { "FullyQualifiedNamespace", "contoso.servicebus.windows.net", ["Orders:FullyQualifiedNamespace: set together with ConnectionString, choose one"] },
            { "DeadLetterContainer", "checkpoints", ["Orders:CheckpointContainer and DeadLetterContainer: both 'checkpoints', must be different containers"] },
            {
                "CheckpointContainer",
                "https://contoso.blob.core.windows.net/checkpoints",
                ["Orders:CheckpointContainer: an address together with StorageConnectionString, choose one"]
            },
            { "StorageConnectionString", "AccountName=a", ["Orders:StorageConnectionString: 'AccountKey' missing"] },
            {
                "Identifier",
                new string('i', 257),
                [$"Orders:Identifier '{new string('i', 257)}': allowed 1 to 256 characters, unique among the processors of a consumer group"]
            },
        };

    [Theory]
    [MemberData(nameof(Connections))]
    public void A_connection_that_cannot_be_is_refused(string key, string value, string[] problems)
    {
        bench.WithSection().With(($"Orders:{key}", value));
        bench.Application.Services.AddEventHubProcessing("orders", bench.Application.Configuration.GetSection("Orders")).Handle((_, _) => default);
        using var host = bench.Build();

        Assert.Equal(problems, ProblemsOf(host));
    }

    [Fact]
    public void An_address_with_a_signature_is_refused_and_not_shown()
    {
        bench.With(
            ("Orders:ConnectionString", HostBench.HubConnection),
            ("Orders:EventHubName", "hub"),
            ("Orders:CheckpointContainer", $"https://contoso.blob.core.windows.net/checkpoints?sig={HostBench.Secret}")
        );
        bench.Application.Services.AddEventHubProcessing("orders").Handle((_, _) => default);
        using var host = bench.Build();

        Assert.Equal(
            ["orders:CheckpointContainer: not the address of a container, allowed is one like https://ACCOUNT.blob.core.windows.net/CONTAINER"],
            ProblemsOf(host)
        );
    }

    [Fact]
    public void Connection_strings_may_be_names_among_ConnectionStrings()
    {
        bench.With(
            ("ConnectionStrings:hubs", $"{HostBench.HubConnection};EntityPath=hub"),
            ("ConnectionStrings:blobs", HostBench.StorageConnection),
            ("Orders:ConnectionString", "hubs"),
            ("Orders:StorageConnectionString", "blobs")
        );
        bench.Add(new OnePartition(0)).Handle((_, _) => default);
        using var host = bench.Build();

        Assert.Empty(ProblemsOf(host));
    }

    [Fact]
    public async Task The_problems_of_all_processings_are_reported_together()
    {
        bench.WithSection("One").WithSection("Two").With(("One:Retries", "-1"), ("Two:Retries", "-2"));
        bench.Add(new OnePartition(0), "one", "One").Handle((_, _) => default);
        bench.Add(new OnePartition(0), "two", "Two").Handle((_, _) => default);
        using var host = bench.Build();

        var refused = await Assert.ThrowsAsync<AggregateException>(() => host.StartAsync(Cancellation));

        Assert.Equal(
            ["One:Retries -1: allowed 0 to 1000", "Two:Retries -2: allowed 0 to 1000"],
            refused.InnerExceptions.Cast<OptionsValidationException>().SelectMany(static one => one.Failures)
        );
    }

    public void Dispose() => bench.Dispose();

    private static EventHubHostingOptions GetOptions(IHost host) => host.Services.GetRequiredService<IOptionsMonitor<EventHubHostingOptions>>().Get("orders");

    private static IEnumerable<string> ProblemsOf(IHost host)
    {
        try
        {
            GetOptions(host);
            return [];
        }
        catch (OptionsValidationException refused)
        {
            return refused.Failures;
        }
    }
}
