using System.Collections.Concurrent;
using System.Threading.Channels;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>Credit, transfers, dispositions, drains, withdrawals and detaches in any order, against a model of the windows and of the dispositions.</summary>
public sealed class InterleavingTests
{
    private const int Steps = 60;

    // Only a broken run reaches it.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private static readonly AmqpListenerOptions Narrow = new() { SessionWindow = 5, MaxFrameSize = 512 };

    private static readonly DeliveryState[] Outcomes = [Accepted.Instance, Released.Instance, new Rejected(null), new Modified { DeliveryFailed = true }];

    [Fact]
    public async Task No_order_breaks_a_window_and_each_message_gets_the_outcome_that_it_was_given()
    {
        uint deliveries = 0;
        var runs = Math.Max(20, Budget.Cases / 5);
        for (var seed = Budget.FirstSeed; seed < Budget.FirstSeed + runs; seed++)
        {
            try
            {
                deliveries += await RunAsync(new Random(seed)).WaitAsync(Patience, TimeProvider.System, TestContext.Current.CancellationToken);
            }
            catch (Exception exception)
            {
                throw new InvalidOperationException($"repeat with EHT_SEED={seed}: {exception.Message}", exception);
            }
        }

        // Were nothing sent, nothing could break.
        Assert.True(deliveries > runs, $"{deliveries} deliveries in {runs} runs");
    }

    private static async Task<uint> RunAsync(Random random)
    {
        WindowModel model = new();
        Receiving receiving = new();
        await using var pair = await AmqpConnectionPair.OpenAsync(
            new AmqpConnectionOptions
            {
                Host = "memory",
                Port = 0,
                FrameObserver = _ => model,
            },
            Narrow,
            _ => receiving,
            TestContext.Current.CancellationToken
        );
        var session = await pair.Client.BeginSessionAsync(new AmqpSessionOptions(), CancellationToken.None);
        List<Sent> sent = [];
        var sender = await AttachAsync(session, 0, receiving);
        for (var step = 0; step < Steps; step++)
        {
            switch (random.Next(12))
            {
                case < 4:
                    sent.Add(Sent.Start(sender, sent.Count, random.Next(4) == 0 ? 2_000 : 4));
                    break;
                case < 7:
                    receiving.Latest.AddCredit((uint)random.Next(1, 4));
                    break;
                case < 9:
                    receiving.SettleOne(random);
                    break;
                case 9:
                    await receiving.Latest.DrainAsync(CancellationToken.None);
                    break;
                case 10 when sent.Count > 0:
                    await sent[random.Next(sent.Count)].WithdrawAsync();
                    break;
                case 11 when random.Next(3) == 0:
                    await sender.DetachAsync(null, CancellationToken.None);
                    sender = await AttachAsync(session, step, receiving);
                    break;
                default:
                    await Task.Yield();
                    break;
            }
        }

        // Every message that is left on the last link is delivered. The messages of earlier links ended with them.
        var rest = receiving.TakeRestAsync(random);
        await Task.WhenAll(sent.Select(static one => one.EndedAsync()));
        await sender.DetachAsync(null, CancellationToken.None);
        await rest;
        await Task.WhenAll(sent.Select(one => AssertOutcomeAsync(one, receiving)));
        Assert.Equal(receiving.Numbers.Order(), receiving.Numbers);
        Assert.Equal(receiving.Numbers.Distinct(), receiving.Numbers);
        Assert.Empty(model.Breaches);
        return model.Deliveries;
    }

    private static async Task AssertOutcomeAsync(Sent one, Receiving receiving)
    {
        if (await one.OutcomeAsync() is { } outcome)
        {
            Assert.Equal(receiving.Said[one.Number], outcome);
        }
    }

    private static async Task<AmqpSender> AttachAsync(AmqpSession session, int number, Receiving receiving)
    {
        var sender = await session.AttachSenderAsync(Serving.To($"link {number}"), CancellationToken.None);

        // The answer may arrive before the other end has returned from sending it.
        await receiving.UntilAcceptedAsync();
        sender.CreditChanged += () =>
        {
            if (sender.DrainRequested)
            {
                sender.CompleteDrain();
            }
        };
        return sender;
    }

    /// <summary>One message and what becomes of it.</summary>
    private sealed class Sent(int number, Task<DeliveryState> sending, CancellationTokenSource withdrawal)
    {
        public int Number => number;

        public static Sent Start(AmqpSender sender, int number, int length)
        {
            var payload = new byte[length];
            BitConverter.TryWriteBytes(payload, number);
            CancellationTokenSource withdrawal = new();
            return new Sent(number, sender.SendAsync(payload, 0, withdrawal.Token).AsTask(), withdrawal);
        }

        public Task WithdrawAsync() => withdrawal.CancelAsync();

        public async Task EndedAsync() => await ((Task)sending).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

        // Null when it was withdrawn, or its link ended first: no other end is right.
        public async Task<DeliveryState?> OutcomeAsync()
        {
            try
            {
                return await sending;
            }
            catch (OperationCanceledException) when (withdrawal.IsCancellationRequested)
            {
                return null;
            }
            catch (AmqpException exception) when (exception.Scope == AmqpErrorScope.Link)
            {
                return null;
            }
            finally
            {
                withdrawal.Dispose();
            }
        }
    }

    /// <summary>The receiving end: the messages that it got, their order, and its dispositions of them.</summary>
    private sealed class Receiving : ILinkAcceptor
    {
        private readonly List<IncomingDelivery> unsettled = [];
        private readonly Channel<AmqpReceiver> accepted = Channel.CreateUnbounded<AmqpReceiver>();

        public AmqpReceiver Latest { get; private set; } = null!;

        public List<int> Numbers { get; } = [];

        public ConcurrentDictionary<int, DeliveryState> Said { get; } = [];

        public ValueTask AcceptAsync(LinkRequest request, CancellationToken cancellationToken)
        {
            Assert.True(accepted.Writer.TryWrite(request.AcceptReceiver(new LinkAnswer(), 0)));
            return ValueTask.CompletedTask;
        }

        /// <summary>Waits for the other end of a link that was attached.</summary>
        public async Task UntilAcceptedAsync()
        {
            Latest = await accepted.Reader.ReadAsync(CancellationToken.None);
            unsettled.Clear();
        }

        // One of those that have come, not the oldest always.
        public void SettleOne(Random random)
        {
            while (Latest.TryReceive(out var delivery))
            {
                Take(delivery);
            }

            if (unsettled.Count > 0)
            {
                Settle(random, random.Next(unsettled.Count));
            }
        }

        public async Task TakeRestAsync(Random random)
        {
            while (unsettled.Count > 0)
            {
                Settle(random, 0);
            }

            Latest.SetPrefetch(10);
            try
            {
                while (true)
                {
                    Take(await Latest.ReceiveAsync(CancellationToken.None));
                    Settle(random, 0);
                }
            }
            catch (AmqpException exception) when (exception.Scope == AmqpErrorScope.Link)
            {
                // The sender has detached: there is no more.
            }
        }

        private void Take(IncomingDelivery delivery)
        {
            Numbers.Add(BitConverter.ToInt32(delivery.Payload.Span));
            unsettled.Add(delivery);
        }

        private void Settle(Random random, int index)
        {
            var delivery = unsettled[index];
            unsettled.RemoveAt(index);
            var outcome = Outcomes[random.Next(Outcomes.Length)];
            Said[BitConverter.ToInt32(delivery.Payload.Span)] = outcome;
            delivery.Receiver.Settle(delivery, outcome);
        }
    }
}
