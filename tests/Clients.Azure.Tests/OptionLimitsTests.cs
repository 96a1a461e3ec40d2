using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.ServiceBus;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

/// <summary>
/// Options beyond their limits are refused when the clients are created, in one line that names option, value and limits. The limits themselves are
/// accepted.
/// </summary>
public sealed class OptionLimitsTests
{
    private static readonly EventHubProcessorOptions Processor = new() { Identifier = "one" };

    private static readonly TimeSpan Day = TimeSpan.FromDays(1);
    private static readonly TimeSpan Millisecond = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan Never = TimeSpan.MaxValue;

    private static readonly MessagingSettings Settings = MessagingSettings
        .FromEnvironment(
            new Dictionary<string, string>(StringComparer.Ordinal)
            {
                ["EVENTHUB_CONNECTION_STRING"] = "Endpoint=sb://127.0.0.1:1;SharedAccessKeyName=n;SharedAccessKey=Y2FuYXJ5;UseDevelopmentEmulator=true",
                ["EVENTHUB_NAME"] = "hub",
                ["SERVICEBUS_CONNECTION_STRING"] = "Endpoint=sb://127.0.0.1:1;SharedAccessKeyName=n;SharedAccessKey=Y2FuYXJ5;UseDevelopmentEmulator=true",
                ["SERVICEBUS_QUEUE"] = "queue",
                ["STORAGE_CONNECTION_STRING"] = "AccountName=a;AccountKey=Y2FuYXJ5;BlobEndpoint=http://127.0.0.1:1/a",
            }.GetValueOrDefault,
            SettingsScope.Consumer
        )
        .Require();

    private static ClientFamily[] Families => [ClientFamily.BuiltIn, OfficialClients.Family];

    public static TheoryData<RetryOptions, string> BadRetries =>
        new()
        {
            {
                new RetryOptions { MaximumRetries = -1 },
                "MaximumRetries -1: allowed 0 to 100"
            },
            {
                new RetryOptions { MaximumRetries = 101 },
                "MaximumRetries 101: allowed 0 to 100"
            },
            {
                new RetryOptions { FirstDelay = TimeSpan.Zero },
                "FirstDelay 00:00:00: allowed 00:00:00.0010000 to 00:05:00"
            },
            {
                new RetryOptions { FirstDelay = TimeSpan.FromMinutes(6) },
                "FirstDelay 00:06:00: allowed 00:00:00.0010000 to 00:05:00"
            },
            {
                new RetryOptions { MaximumDelay = Never },
                "MaximumDelay 10675199.02:48:05.4775807: allowed 00:00:00.0010000 to 1.00:00:00"
            },
            {
                new RetryOptions { TryTimeout = TimeSpan.Zero },
                "TryTimeout 00:00:00: allowed 00:00:00.0010000 to 01:00:00"
            },
            {
                new RetryOptions { TryTimeout = TimeSpan.FromDays(60) },
                "TryTimeout 60.00:00:00: allowed 00:00:00.0010000 to 01:00:00"
            },
            {
                new RetryOptions { OperationTimeout = Never },
                "OperationTimeout 10675199.02:48:05.4775807: allowed 00:00:00.0010000 to 1.00:00:00"
            },
            {
                new RetryOptions { UnreachableLimit = -Millisecond },
                "UnreachableLimit -00:00:00.0010000: allowed 00:00:00 to 1.00:00:00"
            },
            {
                new RetryOptions { UnreachableLimit = Never },
                "UnreachableLimit 10675199.02:48:05.4775807: allowed 00:00:00 to 1.00:00:00"
            },
        };

    public static TheoryData<EventHubProcessorOptions, string> BadProcessors =>
        new()
        {
            { Processor with { Identifier = " " }, "Identifier ' ': allowed 1 to 256 characters" },
            { Processor with { BatchSize = 0 }, "BatchSize 0: allowed 1 to 10000" },
            { Processor with { BatchSize = 10_001 }, "BatchSize 10001: allowed 1 to 10000" },
            { Processor with { Prefetch = -1 }, "Prefetch -1: allowed 0 to 10000" },
            { Processor with { Prefetch = int.MaxValue }, "Prefetch 2147483647: allowed 0 to 10000" },
            { Processor with { BuildInterval = Never }, "BuildInterval 10675199.02:48:05.4775807: allowed 00:00:00 to 1.00:00:00" },
            { Processor with { BalancingInterval = Never }, "BalancingInterval 10675199.02:48:05.4775807: allowed 00:00:00.0010000 to 1.00:00:00" },
            { Processor with { BalancingInterval = TimeSpan.Zero }, "BalancingInterval 00:00:00: allowed 00:00:00.0010000 to 1.00:00:00" },
            { Processor with { OwnershipExpiry = Never }, "OwnershipExpiry 10675199.02:48:05.4775807: allowed 00:00:00.0010000 to 1.00:00:00" },
            { Processor with { OwnershipExpiry = TimeSpan.FromSeconds(19) }, "OwnershipExpiry 00:00:19: at least twice BalancingInterval 00:00:10" },
            { Processor with { UnreachableLimit = Never }, "UnreachableLimit 10675199.02:48:05.4775807: allowed 00:00:00 to 1.00:00:00" },
        };

    public static TheoryData<BuiltInClientOptions, string> BadBuiltIn =>
        new()
        {
            {
                new BuiltInClientOptions { TokenLifetime = TimeSpan.FromMilliseconds(999) },
                "TokenLifetime 00:00:00.9990000: allowed 00:00:01 to 1.00:00:00"
            },
            {
                new BuiltInClientOptions { TokenLifetime = Never },
                "TokenLifetime 10675199.02:48:05.4775807: allowed 00:00:01 to 1.00:00:00"
            },
            {
                new BuiltInClientOptions { LargestMessage = 1023 },
                "LargestMessage 1023: allowed 1024 to 1073741824"
            },
            {
                new BuiltInClientOptions { LargestMessage = long.MaxValue },
                "LargestMessage 9223372036854775807: allowed 1024 to 1073741824"
            },
            {
                new BuiltInClientOptions { Buffered = new BufferedEventWriterOptions { MaxDelay = TimeSpan.Zero } },
                "Buffered.MaxDelay 00:00:00: allowed 00:00:00.0010000 to 01:00:00"
            },
            {
                new BuiltInClientOptions { Buffered = new BufferedEventWriterOptions { MaxBufferedEvents = 1_000_001 } },
                "Buffered.MaxBufferedEvents 1000001: allowed 1 to 1000000"
            },
        };

    [Theory]
    [MemberData(nameof(BadRetries))]
    public void Retries_beyond_their_limits_are_refused(RetryOptions retry, string problem)
    {
        Assert.Equal([problem], retry.Problems());
        Assert.All(
            Families,
            family =>
            {
                Refused($"Retry.{problem}", () => family.Connect(Settings, new ClientOptions { Retry = retry }));
                Refused($"Writes.{problem}", () => family.Connect(Settings, new ClientOptions { Writes = retry }));
            }
        );
        Assert.Equal([$"Retry.{problem}"], new MessageProcessorOptions { Retry = retry }.Problems());
    }

    [Theory]
    [MemberData(nameof(BadProcessors))]
    public async Task A_processor_beyond_its_limits_is_refused(EventHubProcessorOptions processor, string problem)
    {
        Assert.Equal([problem], processor.Problems());
        foreach (var family in Families)
        {
            await using var clients = family.Connect(Settings, new ClientOptions());
            Refused(problem, () => clients.CreateProcessor(processor, static _ => throw new InvalidOperationException("never opened")));
        }
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(10_001)]
    public async Task A_receiver_beyond_its_limits_is_refused(int prefetch)
    {
        foreach (var family in Families)
        {
            await using var clients = family.Connect(Settings, new ClientOptions());
            Refused(
                $"Prefetch {prefetch}: allowed 0 to 10000",
                () => clients.CreateMessageReceiver("queue", new MessageReceiverOptions { Prefetch = prefetch })
            );
        }
    }

    [Theory]
    [MemberData(nameof(BadBuiltIn))]
    public void An_invalid_option_of_the_built_in_clients_alone_is_refused_as_well(BuiltInClientOptions options, string problem) =>
        Refused(problem, () => new BuiltInClients(Settings, options));

    [Fact]
    public void All_problems_are_listed_together() =>
        Refused(
            "MaximumRetries 101: allowed 0 to 100\nRetry.FirstDelay 00:00:00: allowed 00:00:00.0010000 to 00:05:00",
            static () =>
                ClientFamily.BuiltIn.Connect(
                    Settings,
                    new ClientOptions
                    {
                        Retry = new RetryOptions { MaximumRetries = 101, FirstDelay = TimeSpan.Zero },
                    }
                )
        );

    [Fact]
    public async Task The_limits_themselves_are_accepted()
    {
        RetryOptions[] retries =
        [
            new()
            {
                MaximumRetries = 0,
                FirstDelay = Millisecond,
                MaximumDelay = Millisecond,
                TryTimeout = Millisecond,
                OperationTimeout = Millisecond,
                UnreachableLimit = TimeSpan.Zero,
            },
            new()
            {
                MaximumRetries = 100,
                FirstDelay = TimeSpan.FromMinutes(5),
                MaximumDelay = Day,
                TryTimeout = TimeSpan.FromHours(1),
                OperationTimeout = Day,
                UnreachableLimit = Day,
            },
        ];
        EventHubProcessorOptions[] processors =
        [
            new()
            {
                Identifier = "a",
                BatchSize = 1,
                Prefetch = 0,
                BuildInterval = TimeSpan.Zero,
                BalancingInterval = Millisecond,
                OwnershipExpiry = 2 * Millisecond,
                UnreachableLimit = TimeSpan.Zero,
            },
            new()
            {
                Identifier = new string('a', 256),
                BatchSize = 10_000,
                Prefetch = 10_000,
                BuildInterval = Day,
                BalancingInterval = Day / 2,
                OwnershipExpiry = Day,
                UnreachableLimit = Day,
            },
        ];
        foreach (var family in Families)
        {
            foreach (var retry in retries)
            {
                await using var clients = family.Connect(Settings, new ClientOptions { Retry = retry, Writes = retry });
                Assert.All(processors, one => Assert.NotNull(clients.CreateProcessor(one, static _ => throw new InvalidOperationException("never opened"))));
                await using var receiver = clients.CreateMessageReceiver("queue", new MessageReceiverOptions { Prefetch = 10_000 });
                await using var sender = clients.CreateMessageSender("queue");
                await using var writer = clients.CreateEventHubWriter();
                Assert.NotNull(clients.GetBlobContainer("archive"));
            }
        }
    }

    private static void Refused(string problem, Func<object> make) =>
        Assert.Contains(problem, Assert.Throws<ArgumentOutOfRangeException>(make).Message, StringComparison.Ordinal);
}
