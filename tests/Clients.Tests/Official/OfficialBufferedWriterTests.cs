using System.Collections.Concurrent;
using System.Globalization;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.Tests.Emulated;
using EventHubThroughput.Events;
using EventHubThroughput.OfficialPackages;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Official;

public sealed class OfficialBufferedWriterTests : EmulatedTests
{
    [Fact(Timeout = Limit)]
    public async Task Tells_of_every_event_once_and_keeps_the_order_of_a_key()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 2);
        var clients = services.Connect(OfficialClients.Family);
        var outcomes = new Outcomes(500);
        await using var writer = clients.CreateBufferedEventWriter()!;

        for (var number = 0; number < 500; number++)
        {
            await writer.AddAsync(Event($"{number}"), number % 3 == 0 ? null : $"key-{number % 3}", outcomes.Of(number), Token);
        }

        await writer.FlushAsync(Token);
        await outcomes.All.WaitAsync(Token);

        Assert.All(outcomes.Told, static told => Assert.Null(told.Value));
        List<ReceivedEvent> stored = [];
        foreach (var partition in (string[])["0", "1"])
        {
            var last = (await clients.GetPartitionPropertiesAsync(partition, Token)).LastSequenceNumber;
            stored.AddRange(
                last < 0 ? [] : (await clients.ReadPartitionAsync(partition, last, Token).ToListAsync(Token)).SelectMany(static batch => batch.Events)
            );
        }

        Assert.Equal(Enumerable.Range(0, 500), stored.Select(NumberOf).Order());
        foreach (var key in (string[])["key-1", "key-2"])
        {
            int[] ofKey = [.. stored.Where(one => one.PartitionKey == key).Select(NumberOf)];
            Assert.Equal(ofKey.Order(), ofKey);
            Assert.Equal(key == "key-1" ? 167 : 166, ofKey.Length);
        }
    }

    [Fact(Timeout = Limit)]
    public async Task Tells_what_the_failing_handler_was_told_and_goes_on()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var outcomes = new Outcomes(2);
        await using var writer = services.Connect(OfficialClients.Family).CreateBufferedEventWriter()!;

        await writer.AddAsync(new OutgoingEvent { Body = new byte[2_000_000] }, null, outcomes.Of(0), Token);
        await writer.AddAsync(Event("small"), null, outcomes.Of(1), Token);
        await writer.FlushAsync(Token);
        await outcomes.All.WaitAsync(Token);

        Assert.Equal(FailureKind.TooLarge, outcomes.Told[0]!.Kind);
        Assert.Null(outcomes.Told[1]);
    }

    private static int NumberOf(ReceivedEvent one) => int.Parse(Text(one), CultureInfo.InvariantCulture);

    // Each event's outcome; a second one for the same event fails the test.
    private sealed class Outcomes(int expected)
    {
        private readonly TaskCompletionSource all = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public ConcurrentDictionary<int, MessagingException?> Told { get; } = new();

        public Task All => all.Task;

        public Action<MessagingException?> Of(int number) =>
            outcome =>
            {
                if (!Told.TryAdd(number, outcome))
                {
                    all.TrySetException(new InvalidOperationException($"event {number} was settled twice"));
                }
                else if (Told.Count == expected)
                {
                    all.TrySetResult();
                }
            };
    }
}
