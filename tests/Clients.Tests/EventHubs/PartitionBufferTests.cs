using System.Collections.Concurrent;
using System.Text;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Clients.Tests.EventHubs;

public sealed class PartitionBufferTests
{
    private const int Limit = 60_000;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = Limit)]
    public async Task A_batch_goes_when_the_next_event_does_not_fit()
    {
        await using var bench = new Bench(limit: SizeOf(2));

        await bench.AddAsync("a");
        await bench.AddAsync("b");
        Assert.Equal(0, bench.SendsBegun);
        await bench.AddAsync("c");

        Assert.Equal(["a", "b"], await bench.SendAsync(null));
        Assert.Equal(["a", "b"], bench.Outcomes.Keys.Order());
        Assert.Equal(2, bench.Begun);
    }

    [Fact(Timeout = Limit)]
    public async Task One_batch_at_a_time_is_sent()
    {
        await using var bench = new Bench(limit: SizeOf(1));
        foreach (var name in (string[])["a", "b", "c"])
        {
            await bench.AddAsync(name);
        }

        var all = bench.Buffer.Close();
        Assert.Equal(["a"], await bench.NextSendAsync());
        Assert.Equal(1, bench.SendsBegun);
        await bench.AnswerAsync(null);
        Assert.Equal(["b"], await bench.SendAsync(null));
        Assert.False(all.IsCompleted);
        Assert.Equal(["c"], await bench.SendAsync(null));
        await all;
    }

    [Fact(Timeout = Limit)]
    public async Task A_caller_that_waits_for_room_sends_the_open_batch_and_is_served_in_order()
    {
        await using var bench = new Bench(bound: 2);
        await bench.AddAsync("a");
        await bench.AddAsync("b");
        Assert.Equal(0, bench.SendsBegun);

        Task[] waiting = [bench.AddAsync("c"), bench.AddAsync("d"), bench.AddAsync("e")];

        Assert.All(waiting, static task => Assert.False(task.IsCompleted));
        Assert.Equal(["a", "b"], await bench.SendAsync(null));
        await Task.WhenAll(waiting[..2]);

        // The third still waits, so that what the two have filled goes without a word.
        Assert.Equal(["c", "d"], await bench.SendAsync(null));
        await waiting[2];
        var all = bench.Buffer.Close();
        Assert.Equal(["e"], await bench.SendAsync(null));
        await all;
    }

    [Fact(Timeout = Limit)]
    public async Task A_batch_that_failed_is_reported_to_its_events_only_and_the_next_one_is_sent()
    {
        await using var bench = new Bench(limit: SizeOf(2));
        foreach (var name in (string[])["a", "b", "c"])
        {
            await bench.AddAsync(name);
        }

        var all = bench.Buffer.Close();
        var failure = new MessagingException(FailureKind.Throttled, "slow down");
        await bench.SendAsync(failure);
        await bench.SendAsync(null);
        await all;

        Assert.Same(failure, bench.Outcomes["a"]);
        Assert.Same(failure, bench.Outcomes["b"]);
        Assert.Null(bench.Outcomes["c"]);
    }

    [Fact(Timeout = Limit)]
    public async Task A_send_that_throws_something_else_is_a_failure_too()
    {
        await using var bench = new Bench();
        await bench.AddAsync("a");
        var all = bench.Buffer.Close();
        await bench.SendAsync(new InvalidOperationException("odd"));
        await all;

        Assert.Equal(FailureKind.Permanent, bench.Outcomes["a"]?.Kind);
        Assert.Equal("odd", bench.Outcomes["a"]?.Message);
    }

    [Fact(Timeout = Limit)]
    public async Task An_event_of_a_caller_that_gives_up_is_neither_sent_nor_reported()
    {
        await using var bench = new Bench(bound: 1);
        await bench.AddAsync("a");
        using var patience = new CancellationTokenSource();
        var given = bench.AddAsync("b", patience.Token);
        var after = bench.AddAsync("c");

        await patience.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => given);
        await bench.SendAsync(null);
        await after;
        var all = bench.Buffer.Close();
        Assert.Equal(["c"], await bench.SendAsync(null));
        await all;
        Assert.Equal(["a", "c"], bench.Outcomes.Keys.Order());
    }

    [Fact(Timeout = Limit)]
    public async Task An_event_that_is_too_large_is_refused_and_leaves_the_others_as_they_are()
    {
        await using var bench = new Bench(limit: SizeOf(1), bound: 1);
        var alone = await Assert.ThrowsAsync<MessagingException>(() => bench.AddAsync("an event that is longer than others"));
        Assert.Equal(FailureKind.TooLarge, alone.Kind);

        await bench.AddAsync("a");
        var waiting = bench.AddAsync("an event that is longer than others");
        var next = bench.AddAsync("b");
        await bench.SendAsync(null);
        Assert.Equal(FailureKind.TooLarge, (await Assert.ThrowsAsync<MessagingException>(() => waiting)).Kind);
        await next;
    }

    [Fact(Timeout = Limit)]
    public async Task The_end_of_a_buffer_reports_no_outcomes_and_fails_all_waiting_callers()
    {
        var bench = new Bench(bound: 2);
        await bench.AddAsync("a");
        var flushed = bench.Buffer.Close();
        await bench.NextSendAsync();
        await bench.AddAsync("b");
        var waiting = bench.AddAsync("c");

        await bench.DisposeAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => flushed);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => bench.AddAsync("d"));
        Assert.Empty(bench.Outcomes);
    }

    [Fact(Timeout = Limit)]
    public async Task An_outcome_callback_that_throws_is_reported_and_does_not_affect_others()
    {
        await using var bench = new Bench();
        await bench.Buffer.AddAsync(Event("a"), null, static _ => throw new InvalidOperationException("mine"), Token);
        await bench.AddAsync("b");
        var all = bench.Buffer.Close();
        await bench.SendAsync(null);
        await all;

        Assert.True(bench.Outcomes.ContainsKey("b"));
        Assert.Equal("mine", Assert.Single(bench.Refused).Message);
    }

    [Fact(Timeout = Limit)]
    public async Task Outcomes_are_reported_on_the_chosen_scheduler()
    {
        var own = new ConcurrentExclusiveSchedulerPair().ExclusiveScheduler;
        await using var bench = new Bench(scheduler: own);
        TaskScheduler? seen = null;
        await bench.Buffer.AddAsync(Event("a"), null, _ => seen = TaskScheduler.Current, Token);
        var all = bench.Buffer.Close();
        await bench.SendAsync(null);
        await all;

        Assert.Same(own, seen);
    }

    [Fact(Timeout = Limit)]
    public async Task Each_event_has_its_own_key_and_their_envelope_none()
    {
        await using var bench = new Bench();
        await bench.Buffer.AddAsync(Event("a"), "red", static _ => { }, Token);
        await bench.Buffer.AddAsync(Event("b"), null, static _ => { }, Token);
        await bench.Buffer.AddAsync(Event("c"), "blue", static _ => { }, Token);
        var all = bench.Buffer.Close();
        await bench.NextSendAsync();

        var envelope = AmqpMessage.Decode(bench.LastPayload);
        Assert.Null(envelope.MessageAnnotations);
        Assert.Equal(
            ["red", null, "blue"],
            envelope.Body.Data.Select(static section => AmqpMessage.Decode(section).MessageAnnotations?.FindString(AmqpNames.PartitionKey))
        );
        await bench.AnswerAsync(null);
        await all;
    }

    [Fact(Timeout = Limit)]
    public async Task Every_event_is_reported_once_and_sent_in_order_for_any_failures_and_waits()
    {
        for (var seed = 0; seed < 100; seed++)
        {
            var random = new Random(seed);
            await using var bench = new Bench(limit: SizeOf(3), bound: 5);
            List<Task> adding = [];
            for (var step = 0; step < 60; step++)
            {
                if (bench.HasSend && random.Next(2) == 0)
                {
                    await bench.SendAsync(random.Next(3) == 0 ? new MessagingException(FailureKind.Transient, "no") : null);
                }
                else
                {
                    adding.Add(bench.AddAsync($"{adding.Count:D3}"));
                }

                Assert.True(adding.Count(static task => task.IsCompletedSuccessfully) <= bench.Outcomes.Count + 5, $"bound, seed {seed}");
            }

            while (bench.Outcomes.Count < adding.Count)
            {
                _ = bench.Buffer.Close();
                await bench.SendAsync(null);
            }

            await Task.WhenAll(adding);
            Assert.Equal(Enumerable.Range(0, adding.Count).Select(static number => $"{number:D3}"), bench.Sent);
        }
    }

    private static long SizeOf(int events)
    {
        var batch = new OutgoingEventBatch(null, "0", long.MaxValue);
        for (var number = 0; number < events; number++)
        {
            Assert.True(batch.TryAdd(Event("abc")));
        }

        return batch.SizeInBytes;
    }

    private static OutgoingEvent Event(string name) => new() { Body = Encoding.UTF8.GetBytes(name) };

    // A buffer whose sends wait until the test answers them.
    private sealed class Bench : IAsyncDisposable
    {
        private readonly SemaphoreSlim begun = new(0);
        private readonly ConcurrentQueue<(List<string> Names, byte[] Payload, TaskCompletionSource Answer)> sends = new();
        private readonly ConcurrentDictionary<string, MessagingException?> settledOutcomes = new(StringComparer.Ordinal);
        private readonly ConcurrentDictionary<string, TaskCompletionSource> outcomes = new(StringComparer.Ordinal);
        private TaskCompletionSource? answer;
        private List<string> names = [];
        private int sendsBegun;
        private int answered;

        public Bench(long limit = 100_000, int bound = 1_000, TaskScheduler? scheduler = null) =>
            Buffer = new PartitionBuffer(
                new PartitionBufferContext
                {
                    PartitionId = "0",
                    Limit = limit,
                    Options = new BufferedEventWriterOptions { MaxBufferedEvents = bound, Scheduler = scheduler ?? TaskScheduler.Default },
                    Send = SendAsync,
                    Begun = () => Begun++,
                    OutcomeRefused = Refused.Enqueue,
                }
            );

        public PartitionBuffer Buffer { get; }

        /// <summary>How many batches have got a first event.</summary>
        public int Begun { get; private set; }

        public int SendsBegun => Volatile.Read(ref sendsBegun);

        public bool HasSend => SendsBegun > answered;

        public byte[] LastPayload { get; private set; } = [];

        public ConcurrentDictionary<string, MessagingException?> Outcomes => settledOutcomes;

        public ConcurrentQueue<Exception> Refused { get; } = new();

        /// <summary>Every event, in the order of the sends.</summary>
        public List<string> Sent { get; } = [];

        public Task AddAsync(string name, CancellationToken? token = null)
        {
            var outcome = outcomes[name] = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            try
            {
                return Buffer.AddAsync(
                    Event(name),
                    null,
                    failure =>
                    {
                        settledOutcomes[name] = settledOutcomes.ContainsKey(name)
                            ? throw new InvalidOperationException($"{name} was settledOutcomes twice")
                            : failure;
                        outcome.SetResult();
                    },
                    token ?? Token
                );
            }
            catch (Exception exception)
            {
                return Task.FromException(exception);
            }
        }

        /// <summary>Waits for the next send, whose events it gives.</summary>
        public async Task<List<string>> NextSendAsync()
        {
            await begun.WaitAsync(Token);
            Assert.True(sends.TryDequeue(out var send));
            answer = send.Answer;
            LastPayload = send.Payload;
            Sent.AddRange(send.Names);
            answered++;
            names = send.Names;
            return send.Names;
        }

        /// <summary>Answers the awaited send, and waits until the outcomes of its events were reported.</summary>
        public async Task AnswerAsync(Exception? failure)
        {
            if (failure is null)
            {
                answer!.TrySetResult();
            }
            else
            {
                answer!.TrySetException(failure);
            }

            await Task.WhenAll(names.Where(outcomes.ContainsKey).Select(name => outcomes[name].Task)).WaitAsync(Token);
        }

        public async Task<List<string>> SendAsync(Exception? failure)
        {
            var sent = await NextSendAsync();
            await AnswerAsync(failure);
            return sent;
        }

        public ValueTask DisposeAsync() => Buffer.DisposeAsync();

        private async Task SendAsync(OutgoingEventBatch batch, CancellationToken cancellationToken)
        {
            var payload = batch.Payload.ToArray();
            List<string> sent = [.. batch.Count == 1 ? [GetName(payload)] : AmqpMessage.Decode(payload).Body.Data.Select(static section => GetName(section))];
            var end = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            Interlocked.Increment(ref sendsBegun);
            sends.Enqueue((sent, payload, end));
            begun.Release();
            await end.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }

        private static string GetName(ReadOnlyMemory<byte> message) => Encoding.UTF8.GetString(AmqpMessage.Decode(message).Body.Data.Single().Span);
    }
}
