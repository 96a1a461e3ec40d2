using System.Text;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Processes;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Consumers on the official packages before one event of ten in partition 0 that these cannot deliver.</summary>
public sealed class UndeliveredEventTests
{
    private const int Events = 10;
    private const string Consumer = "--clients=official --strategy=baseline --batch=1 --no-metrics --balancing-interval=500ms --ownership-expiry=5s";

    private static readonly Dictionary<string, object> Values = new(StringComparer.Ordinal)
    {
        ["decimal32"] = new AmqpDecimal(new byte[4]),
        ["decimal64"] = new AmqpDecimal(new byte[8]),
        ["list"] = new AmqpList { 1, "two" },
        ["array"] = AmqpArray.Of([1L, 2L]),
        ["map"] = new AmqpMap { { "k", 1 } },
    };

    // The package drops what it cannot decode. Nothing comes after the last event, so only time shows it.
    [Theory]
    [InlineData("decimal32")]
    [InlineData("decimal64")]
    public async Task A_last_event_that_is_not_delivered_ends_the_run_with_exit_code_4_after_the_delivery_limit(string type)
    {
        var finished = await RunAsync(type, 9, "--delivery-limit=10s");

        AssertEndedBefore(
            9,
            "partition 0: no event was delivered for 10 s after sequence number 8, although the hub has events up to 9: the clients may be unable to decode the next one",
            finished
        );
    }

    [Theory]
    [InlineData("decimal32", "--prefetch=0")]
    [InlineData("decimal64", "--prefetch=300")]
    public async Task An_event_that_is_left_out_ends_the_run_with_exit_code_4_before_the_next_one(string type, string arguments)
    {
        var finished = await RunAsync(type, 5, arguments);

        AssertEndedBefore(5, "partition 0: the package delivered event 6 after 4 and left out 1 event, which it may be unable to decode", finished);
    }

    [Theory]
    [InlineData("list", "event 5 of partition 0: application property 'odd' is of type list, which the packages do not carry")]
    [InlineData("array", "event 5 of partition 0: application property 'odd' is of type array, which the packages do not carry")]
    [InlineData(
        "map",
        "partition 0 after sequence number 4: an event has an application property that the package does not carry: Serialization operation failed due to unsupported type Microsoft.Azure.Amqp.Encoding.AmqpMap."
    )]
    public async Task An_event_that_would_lose_a_property_ends_the_run_with_exit_code_4_and_is_named(string type, string expected)
    {
        var finished = await RunAsync(type, 5, "");

        AssertEndedBefore(5, expected, finished);
    }

    private static void AssertEndedBefore(int odd, string expected, FinishedProcess finished)
    {
        Assert.True(finished.ExitCode == 4, finished.Error + finished.Output);
        var error = Assert.Single(
            finished.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries),
            static line => line.StartsWith("error:", StringComparison.Ordinal)
        );
        Assert.Equal($"error: {expected}", error.Replace("event hub 'hub' ", "", StringComparison.Ordinal));
        Assert.Contains($"\nevents      {odd} of {Events} complete", finished.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", finished.Error, StringComparison.Ordinal);
    }

    private static async Task<FinishedProcess> RunAsync(string type, int odd, string arguments)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var emulator = await EmulatorProcess.StartAsync("--profile none --partitions 1", cancellationToken);
        await SendAsync(emulator, odd, Values[type], cancellationToken);
        return await Programs.ConsumerAsync($"{Consumer} {arguments}", emulator.Settings, cancellationToken);
    }

    private static async Task SendAsync(EmulatorProcess emulator, int odd, object value, CancellationToken cancellationToken)
    {
        var read = MessagingSettings.FromEnvironment(emulator.Settings.GetValueOrDefault, SettingsScope.Consumer);
        await using var clients = new BuiltInClients(read.Settings!, new BuiltInClientOptions());
        await using var writer = clients.CreateEventHubWriter();
        var batch = await writer.CreateBatchAsync(null, "0", cancellationToken);
        for (var index = 0; index < Events; index++)
        {
            var one = new OutgoingEvent { Body = Encoding.UTF8.GetBytes($"e{index}") };
            Assert.True(
                batch.TryAdd(index == odd ? one with { Properties = new Dictionary<string, object?>(StringComparer.Ordinal) { ["odd"] = value } } : one)
            );
        }

        await writer.SendAsync(batch, cancellationToken);
    }
}
