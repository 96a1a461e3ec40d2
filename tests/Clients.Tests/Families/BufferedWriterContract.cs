using System.Collections.Concurrent;
using System.Globalization;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Families;

/// <summary>Events that a client gathers itself, for each family of clients.</summary>
/// <param name="family">The family.</param>
public abstract class BufferedWriterContract(ClientFamily family) : EmulatedTests
{
    [Fact(Timeout = Limit)]
    public async Task The_writer_reports_every_event_once_and_keeps_the_order_of_a_key()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 2);
        var clients = services.Connect(family);
        var outcomes = new Outcomes(500);
        await using var writer = clients.CreateBufferedEventWriter();

        for (var number = 0; number < 500; number++)
        {
            await writer.AddAsync(Event($"{number}"), number % 3 == 0 ? null : $"key-{number % 3}", outcomes.Of(number), Token);
        }

        await writer.FlushAsync(Token);
        await outcomes.All.WaitAsync(Token);

        Assert.All(outcomes.Settled, static outcome => Assert.Null(outcome.Value));
        List<ReceivedEvent> stored = [];
        foreach (var partition in (string[])["0", "1"])
        {
            var last = (await clients.GetPartitionPropertiesAsync(partition, Token)).LastSequenceNumber;
            stored.AddRange(
                last < 0 ? [] : (await clients.ReadPartitionAsync(partition, -1, last, Token).ToListAsync(Token)).SelectMany(static batch => batch.Events)
            );
        }

        Assert.Equal(Enumerable.Range(0, 500), stored.Select(GetNumber).Order());
        foreach (var key in (string[])["key-1", "key-2"])
        {
            int[] ofKey = [.. stored.Where(one => one.PartitionKey == key).Select(GetNumber)];
            Assert.Equal(ofKey.Order(), ofKey);
            Assert.Equal(key == "key-1" ? 167 : 166, ofKey.Length);
        }
    }

    private static int GetNumber(ReceivedEvent one) => int.Parse(Text(one), CultureInfo.InvariantCulture);

    // Each event's outcome. A second one for the same event fails the test.
    private protected sealed class Outcomes(int expected)
    {
        private readonly TaskCompletionSource all = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public ConcurrentDictionary<int, MessagingException?> Settled { get; } = new();

        public Task All => all.Task;

        public Action<MessagingException?> Of(int number) =>
            outcome =>
            {
                if (!Settled.TryAdd(number, outcome))
                {
                    all.TrySetException(new InvalidOperationException($"event {number} was settled twice"));
                }
                else if (Settled.Count == expected)
                {
                    all.TrySetResult();
                }
            };
    }
}
