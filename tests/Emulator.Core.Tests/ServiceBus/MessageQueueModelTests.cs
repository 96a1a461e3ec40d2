using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.ServiceBus;

/// <summary>The queue against a naive model, under arbitrary sequences of calls, passing time and restarts from the disk.</summary>
public sealed class MessageQueueModelTests
{
    public enum Call
    {
        Send,
        SendBatch,
        SendForAWhile,
        Schedule,
        SendAgain,
        Lock,
        LockTwo,
        ReceiveAndDelete,
        LockDeferred,
        Complete,
        Abandon,
        Defer,
        DeadLetter,
        Release,
        Renew,
        Cancel,
        Peek,
        Wait,
        WaitLonger,
        Restart,
    }

    [Theory]
    [InlineData(false, null, null, false)]
    [InlineData(true, 20, null, false)]
    [InlineData(true, null, 6, false)]
    [InlineData(true, 20, 6, true)]
    public void Does_what_the_model_does(bool deadLetterExpired, int? duplicateSeconds, int? lifeSeconds, bool leavesMemory)
    {
        var settings = new QueueSettings("queue")
        {
            LockDuration = TimeSpan.FromSeconds(10),
            MaximumDeliveryCount = 3,
            DeadLetterExpired = deadLetterExpired,
            DuplicateDetection = duplicateSeconds is { } seconds ? TimeSpan.FromSeconds(seconds) : null,
            TimeToLive = lifeSeconds is { } life ? TimeSpan.FromSeconds(life) : null,
        };
        var steps = (from call in Gen.Elements(Enum.GetValues<Call>()) from pick in Gen.Choose(0, 7) select (call, pick)).ListOf();
        Prop.ForAll(
                steps.ToArbitrary(),
                calls =>
                {
                    using var run = new Run(settings, leavesMemory);
                    foreach (var (call, pick) in calls)
                    {
                        run.Step(call, pick);
                    }

                    run.CompareAtEnd();
                }
            )
            .Check(PropertyCases.Times(0.2));
    }

    private sealed class Run : IDisposable
    {
        private readonly RestartableRegistry _place;
        private readonly QueueModel _model;
        private readonly List<Guid> _tokens = [Guid.NewGuid()];
        private readonly List<long> _sequences = [0];
        private int _sent;

        public Run(QueueSettings settings, bool leavesMemory)
        {
            _place = new RestartableRegistry(leavesMemory);
            _place.Registry.CreateQueue(settings);
            _model = new QueueModel(settings, _place.Clock.GetUtcNow());
        }

        private MessageQueue Queue => _place.Registry.FindQueue("queue")!;

        public void Dispose() => _place.Dispose();

        public void Step(Call call, int pick)
        {
            var token = _tokens[Math.Max(0, _tokens.Count - 1 - pick)];
            var held = _model.Messages.Values.FirstOrDefault(message => message.Token == token);
            switch (call)
            {
                case Call.Send:
                    Send(Next(), null, null);
                    break;
                case Call.SendBatch:
                    var again = Next();
                    Send([again, .. Enumerable.Range(0, pick).Select(_ => Next()), again]);
                    break;
                case Call.SendForAWhile:
                    Send(Next(), TimeSpan.FromSeconds(1 + (2 * pick)), null);
                    break;
                case Call.Schedule:
                    Send(Next(), pick % 2 == 0 ? null : TimeSpan.FromSeconds(pick), TimeSpan.FromSeconds(1 + pick));
                    break;
                case Call.SendAgain:
                    Send($"m{Math.Max(1, _sent - pick)}", null, null);
                    break;
                case Call.Lock:
                    Lock();
                    break;
                case Call.LockTwo:
                    Lock();
                    Lock();
                    break;
                case Call.ReceiveAndDelete:
                    if (Lock() is { } taken)
                    {
                        Assert.True(Queue.Complete(taken.Token!.Value));
                        _model.Messages.Remove(taken.Sequence);
                    }

                    break;
                case Call.LockDeferred:
                    LockDeferred(pick);
                    break;
                case Call.Complete:
                    Assert.Equal(held is not null, Queue.Complete(token));
                    _model.Messages.Remove(held?.Sequence ?? 0);
                    break;
                case Call.Abandon:
                    Assert.Equal(held is not null, Queue.Abandon(token, pick == 0 ? new AmqpMap { { "note", pick } } : null));
                    Do(held, _model.Fail);
                    break;
                case Call.Defer:
                    Assert.Equal(held is not null, Queue.Defer(token, null));
                    Do(
                        held,
                        message =>
                        {
                            message.IsDeferred = true;
                            message.Count++;
                            _model.Return(message);
                        }
                    );
                    break;
                case Call.DeadLetter:
                    Assert.Equal(held is not null, Queue.DeadLetter(token, new AmqpMap { { AmqpNames.DeadLetterReason, $"why {pick}" } }));
                    Do(held, message => _model.Kill(message, $"why {pick}"));
                    break;
                case Call.Release:
                    Assert.Equal(held is not null, Queue.Release(token));
                    Do(held, _model.Return);
                    break;
                case Call.Renew:
                    Assert.Equal(held is null ? null : _model.Now + Queue.Settings.LockDuration, Queue.Renew([token]));
                    Do(held, message => _model.Lock(message, token));
                    break;
                case Call.Cancel:
                    Cancel(pick);
                    break;
                case Call.Peek:
                    Compare(fromSequence: pick);
                    break;
                case Call.Restart:
                    _place.Restart();
                    _model.Restart();
                    break;
                default:
                    var time = TimeSpan.FromSeconds(call == Call.Wait ? pick : 5 * pick);
                    _place.Clock.Advance(time);
                    _model.Advance(time);
                    break;
            }
        }

        public void CompareAtEnd()
        {
            Compare(0);
            _place.Restart();
            _model.Restart();
            Compare(0);
            Assert.Equal(
                _model.Dead.Order(),
                Queue
                    .DeadLetters!.Peek(0, int.MaxValue)
                    .Select(static dead =>
                        (
                            dead.Content.MessageId,
                            AmqpMessage.Decode(dead.Encode()).ApplicationProperties!.FindString(AmqpNames.DeadLetterReason),
                            dead.DeliveryCount
                        )
                    )
                    .Order()
            );

            // What was charged is what was held, to the byte.
            Assert.True(_place.Registry.DeleteQueue("queue"));
            Assert.Equal(0, _place.Budget.UsedBytes);
        }

        private static void Do(QueueModel.Message? message, Action<QueueModel.Message> action)
        {
            if (message is not null)
            {
                action(message);
            }
        }

        private string Next() => $"m{++_sent}";

        private void Send(string id, TimeSpan? life, TimeSpan? delay)
        {
            var receipt = Queue.Send([Encoded.Content(id, life, delay is null ? null : _model.Now + delay)], null, 0)!;
            var expected = _model.Send(id, life, delay);
            Assert.Equal(expected, receipt.Sequences[0]);
            Assert.Equal(expected == 0, receipt.IsDuplicate(0));
            _sequences.Add(receipt.Sequences[0]);
        }

        private void Send(string[] ids)
        {
            var receipt = Queue.Send([.. ids.Select(id => Encoded.Content(id))], null, 0)!;
            Assert.Equal(ids.Select(id => _model.Send(id, null, null)), receipt.Sequences);
        }

        private QueueModel.Message? Lock()
        {
            var expected = _model.FirstAvailable;
            var delivery = Queue.TryLock();
            Assert.Equal((expected?.Sequence, expected?.Id, expected?.Count), (delivery?.Sequence, delivery?.Content.MessageId, delivery?.DeliveryCount));
            if (delivery is not null)
            {
                _model.Lock(expected!, delivery.LockToken);
                _tokens.Add(delivery.LockToken);
            }

            return expected;
        }

        private void LockDeferred(int pick)
        {
            var deferred = _model.Messages.Values.Where(static message => message is { IsDeferred: true, Token: null }).Take(1 + (pick % 2)).ToArray();
            long[] unknown = pick >= 6 ? [long.MaxValue] : [];
            var deliveries = Queue.TryLockDeferred([.. deferred.Select(static message => message.Sequence), .. unknown]);

            // They are looked at in order, up to the first that has ended.
            var over = deferred.Any(_model.ExpireIfOver);
            Assert.Equal(
                over || unknown.Length > 0 ? null : deferred.Select(static message => message.Sequence),
                deliveries?.Select(static delivery => delivery.Sequence)
            );
            foreach (var delivery in deliveries ?? [])
            {
                _model.Lock(_model.Messages[delivery.Sequence], delivery.LockToken);
                _tokens.Add(delivery.LockToken);
            }
        }

        private void Cancel(int pick)
        {
            long[] sequences = [.. _sequences.TakeLast(1 + (pick % 3))];
            var all = Array.TrueForAll(sequences, sequence => _model.Messages.GetValueOrDefault(sequence)?.Due is not null);
            Assert.Equal(all, Queue.TryCancelScheduled(sequences));
            foreach (var sequence in all ? sequences : [])
            {
                _model.Messages.Remove(sequence);
            }
        }

        private void Compare(long fromSequence)
        {
            Assert.Equal(
                _model
                    .Messages.Values.Where(message => message.Sequence >= fromSequence)
                    .Select(static message => (message.Sequence, message.Id, message.Count, message.IsDeferred, message.Due is not null, message.Token)),
                Queue
                    .Peek(fromSequence, int.MaxValue)
                    .Select(static message =>
                        (
                            message.Sequence,
                            message.Content.MessageId,
                            message.DeliveryCount,
                            message.IsDeferred,
                            message.State == MessageState.Scheduled,
                            message.State == MessageState.Locked ? message.LockToken : (Guid?)null
                        )
                    )
            );
        }
    }
}
