using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Emulator.Tests.ServiceBus;

/// <summary>The queue against a naive model, under arbitrary sequences of calls and passing time.</summary>
public sealed class MessageQueueModelTests
{
    private static readonly TimeSpan LockDuration = TimeSpan.FromSeconds(10);

    public enum Call
    {
        Send,
        Lock,
        Take,
        Complete,
        Abandon,
        Defer,
        DeadLetter,
        Renew,
        Wait,
        LockDeferred,
    }

    [Fact]
    public void Does_what_the_model_does()
    {
        var steps = (from call in Gen.Elements(Enum.GetValues<Call>()) from pick in Gen.Choose(0, 7) select (call, pick)).ListOf();
        Check.QuickThrowOnFailure(Prop.ForAll(steps.ToArbitrary(), calls =>
        {
            using var run = new Run();
            foreach (var (call, pick) in calls)
            {
                run.Step(call, pick);
            }

            run.CompareAtEnd();
        }));
    }

    private sealed class Run : IDisposable
    {
        private readonly VirtualClock _clock = new();
        private readonly MemoryBudget _budget = new(1 << 24);
        private readonly ServiceBusRegistry _registry;
        private readonly MessageQueue _queue;
        private readonly SortedDictionary<long, Modelled> _model = [];
        private readonly List<Guid> _tokens = [Guid.NewGuid()];
        private long _sent;
        private int _dead;

        public Run()
        {
            _registry = new ServiceBusRegistry(_budget, _clock);
            _registry.CreateQueue(new QueueSettings("queue") { LockDuration = LockDuration, MaximumDeliveryCount = 3 });
            _queue = _registry.FindQueue("queue")!;
        }

        public void Dispose() => _registry.Dispose();

        public void Step(Call call, int pick)
        {
            var token = _tokens[Math.Max(0, _tokens.Count - 1 - pick)];
            var held = _model.Values.FirstOrDefault(message => message.Token == token);
            switch (call)
            {
                case Call.Send:
                    MessageContent[] contents = [Encoded.Content($"m{_sent}")];
                    Assert.NotNull(_queue.Send(contents, null, 0));
                    _model.Add(++_sent, new Modelled());
                    break;
                case Call.Lock:
                    Held(_queue.TryLock(), FirstAvailable());
                    break;
                case Call.LockDeferred:
                    var deferred = _model.FirstOrDefault(static entry => entry.Value is { Deferred: true, Token: null });
                    Held(_queue.TryLockDeferred([deferred.Value is null ? -1 : deferred.Key])?[0], deferred.Value is null ? null : deferred.Key);
                    break;
                case Call.Take:
                    var taken = FirstAvailable();
                    Assert.Equal(taken, Take(_queue)?.Sequence);
                    _model.Remove(taken ?? 0);
                    break;
                case Call.Complete:
                    Assert.Equal(held is not null, _queue.Complete(token));
                    Forget(held);
                    break;
                case Call.Abandon:
                    Assert.Equal(held is not null, _queue.Abandon(token, null));
                    Fail(held);
                    break;
                case Call.Defer:
                    Assert.Equal(held is not null, _queue.Defer(token, null));
                    if (held is not null)
                    {
                        (held.Deferred, held.Token) = (true, null);
                    }

                    break;
                case Call.DeadLetter:
                    Assert.Equal(held is not null, _queue.DeadLetter(token, null));
                    _dead += held is null ? 0 : 1;
                    Forget(held);
                    break;
                case Call.Renew:
                    Assert.Equal(held is null ? null : _clock.GetUtcNow() + LockDuration, _queue.Renew([token]));
                    if (held is not null)
                    {
                        held.Until = _clock.GetUtcNow() + LockDuration;
                    }

                    break;
                default:
                    Wait(TimeSpan.FromSeconds(pick));
                    break;
            }
        }

        public void CompareAtEnd()
        {
            Wait(2 * LockDuration);
            Assert.Equal(_model.Select(static entry => (entry.Key, entry.Value.Count, entry.Value.Deferred)),
                _queue.Peek(1, int.MaxValue).Select(static message => (message.Sequence, message.DeliveryCount, message.IsDeferred)));
            Assert.Equal(_dead, _queue.DeadLetters!.Count);

            // All that is left can be taken, and then no memory is held.
            foreach (var message in _queue.Peek(1, int.MaxValue).Where(static message => message.IsDeferred))
            {
                Assert.True(_queue.Complete(_queue.TryLockDeferred([message.Sequence])![0].LockToken));
            }

            while (Take(_queue) is not null || Take(_queue.DeadLetters!) is not null)
            {
            }

            Assert.Equal(0, _budget.UsedBytes);
        }

        private static QueueDelivery? Take(MessageQueue queue)
        {
            var delivery = queue.TryLock();
            Assert.True(delivery is null || queue.Complete(delivery.LockToken));
            return delivery;
        }

        private long? FirstAvailable() => _model.Where(static entry => entry.Value is { Token: null, Deferred: false }).Select(static entry => (long?)entry.Key).FirstOrDefault();

        private void Held(QueueDelivery? delivery, long? expected)
        {
            Assert.Equal(expected, delivery?.Sequence);
            if (delivery is not null)
            {
                var message = _model[delivery.Sequence];
                Assert.Equal(message.Count, delivery.DeliveryCount);
                (message.Token, message.Until) = (delivery.LockToken, _clock.GetUtcNow() + LockDuration);
                _tokens.Add(delivery.LockToken);
            }
        }

        private void Wait(TimeSpan time)
        {
            _clock.Advance(time);
            foreach (var message in _model.Values.Where(message => message.Token is not null && message.Until <= _clock.GetUtcNow()).ToArray())
            {
                Fail(message);
            }
        }

        private void Fail(Modelled? message)
        {
            if (message is null)
            {
                return;
            }

            message.Token = null;
            message.Count++;
            if (message.Count >= 3)
            {
                _dead++;
                Forget(message);
            }
        }

        private void Forget(Modelled? message)
        {
            if (message is not null)
            {
                _model.Remove(_model.Single(entry => entry.Value == message).Key);
            }
        }
    }

    private sealed class Modelled
    {
        public Guid? Token { get; set; }

        public DateTimeOffset Until { get; set; }

        public bool Deferred { get; set; }

        public int Count { get; set; }
    }
}
