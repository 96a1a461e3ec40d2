using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Tests.Emulated;

public sealed class BuiltInBufferedWriterTests() : BufferedWriterContract(ClientFamily.BuiltIn)
{
    [Fact(Timeout = Limit)]
    public async Task A_batch_that_is_not_full_is_sent_after_the_delay_on_the_clock_of_the_caller()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 2);
        var clock = new VirtualClock(TimeProvider.System.GetUtcNow());
        await using var clients = Clients(services, clock, new BufferedEventWriterOptions { MaxDelay = TimeSpan.FromMinutes(1) });
        await using var writer = clients.CreateBufferedEventWriter();
        var outcomes = new Outcomes(3);

        for (var number = 0; number < 3; number++)
        {
            await writer.AddAsync(Event($"{number}"), null, outcomes.Of(number), Token);
        }

        clock.Advance(TimeSpan.FromSeconds(59));
        Assert.Empty(outcomes.Settled);
        clock.Advance(TimeSpan.FromSeconds(1));
        await outcomes.All.WaitAsync(Token);
        Assert.All(outcomes.Settled, static outcome => Assert.Null(outcome.Value));
    }

    [Fact(Timeout = Limit)]
    public async Task An_event_that_is_too_large_is_refused_when_it_is_added()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var outcomes = new Outcomes(1);
        await using var writer = services.Connect(ClientFamily.BuiltIn).CreateBufferedEventWriter();

        var refusal = await Assert.ThrowsAsync<MessagingException>(() =>
            writer.AddAsync(new OutgoingEvent { Body = new byte[2_000_000] }, null, static _ => Assert.Fail("outcome"), Token)
        );
        await writer.AddAsync(Event("small"), null, outcomes.Of(0), Token);
        await writer.FlushAsync(Token);

        Assert.Equal(FailureKind.TooLarge, refusal.Kind);
        Assert.Null(outcomes.Settled[0]);
    }

    [Fact(Timeout = Limit)]
    public async Task A_key_that_the_service_does_not_take_is_refused()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        await using var writer = services.Connect(ClientFamily.BuiltIn).CreateBufferedEventWriter();

        var refusal = await Assert.ThrowsAsync<MessagingException>(() => writer.AddAsync(Event("a"), new string('k', 129), static _ => { }, Token));

        Assert.Contains("129 characters exceeds the limit of 128", refusal.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = Limit)]
    public async Task A_flush_ends_after_every_outcome_was_reported()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 4);
        var outcomes = new Outcomes(40);
        await using var writer = services.Connect(ClientFamily.BuiltIn).CreateBufferedEventWriter();
        await writer.FlushAsync(Token);
        for (var number = 0; number < 40; number++)
        {
            await writer.AddAsync(Event($"{number}"), null, outcomes.Of(number), Token);
        }

        await writer.FlushAsync(Token);
        Assert.Equal(40, outcomes.Settled.Count);
        await writer.FlushAsync(Token);
    }

    [Fact(Timeout = Limit)]
    public async Task After_the_end_nothing_is_added_or_flushed()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var unused = services.Connect(ClientFamily.BuiltIn).CreateBufferedEventWriter();
        await unused.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => unused.AddAsync(Event("a"), null, static _ => { }, Token));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => unused.FlushAsync(Token));

        var used = services.Connect(ClientFamily.BuiltIn).CreateBufferedEventWriter();
        await used.AddAsync(Event("a"), null, static _ => Assert.Fail("outcome"), Token);
        await used.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => used.AddAsync(Event("b"), null, static _ => { }, Token));
    }

    private static BuiltInClients Clients(EmulatedServices services, TimeProvider clock, BufferedEventWriterOptions buffered) =>
        new(
            services.Settings,
            new BuiltInClientOptions
            {
                TimeProvider = clock,
                Buffered = buffered,
                Seed = 1,
            }
        );
}
