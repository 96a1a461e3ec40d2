using System.Buffers;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.FaultInjection;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.Logs;
using EventHubThroughput.Emulator.Messages;
using EventHubThroughput.Profiles;

namespace EventHubThroughput.Emulator.EventHubs;

/// <summary>The link of a consumer on one partition. Pushes events as long as there are credit and events.</summary>
internal sealed class EventReader : IEvictable, IDisposable
{
    // The most events that one call writes to the journal, if they can be sent immediately. A longer run would delay its first event.
    private const int RunLength = 64;

    // Upper limit of the bytes that the runtime metric adds to an event.
    private const int LargestMetric = 256;

    private static long s_incarnations;

    private readonly EventHub _hub;
    private readonly PartitionLog _log;
    private readonly ConsumerGroup _group;
    private readonly long? _ownerLevel;
    private readonly EndpointContext _context;
    private readonly ILatency _latency;
    private readonly PushLoop _loop;
    private readonly StoredEvent[] _run = new StoredEvent[RunLength];

    // Used only by the push loop: the fault that ends the link.
    private AmqpError? _farewell;

    // Written by the evicting reader, under the gate of the roster. Read by the push loop after the stop.
    private volatile string? _evictedBecause;

    public EventReader(EventHub hub, PartitionLog log, ConsumerGroup group, long? ownerLevel, EndpointContext context, CancellationToken cancellationToken)
    {
        _hub = hub;
        _log = log;
        _group = group;
        _ownerLevel = ownerLevel;
        _context = context;
        _latency = context.FaultInjection.CreateLatency();
        _loop = new PushLoop(context.Clock, context.Log, cancellationToken, group.Deleted);
    }

    public void Evict(long? byOwnerLevel)
    {
        EmulatorLog.ReaderEvicted(_context.Log, $"{_hub.Name}/{_log.Id} for '{_group.Name}'", byOwnerLevel);
        _evictedBecause = $"New receiver with higher or equal epoch of '{byOwnerLevel}' is created, hence the current receiver is getting disconnected.";
        _loop.Stop();
    }

    public void Dispose() => _loop.Dispose();

    /// <summary>Records the attach in the journal, before it is answered.</summary>
    /// <returns>The name of the link in the journal, which is unique.</returns>
    public string Attach(string name, long position, string? receiverName)
    {
        var link = $"{name}#{Interlocked.Increment(ref s_incarnations)}";
        _context.Journal.Attached(_hub.Name, _group.Name, _log.Id, position, link, _ownerLevel, receiverName);
        return link;
    }

    public async Task PushAsync(AmqpSender sender, string link, long position, bool withRuntimeMetric)
    {
        sender.DispositionReceived = static (delivery, state, settled) =>
        {
            if (!settled)
            {
                delivery.Settle(state ?? Accepted.Instance);
            }
        };
        await _loop.RunAsync(sender, _log.Readers, () => PushLoopAsync(sender, link, position, withRuntimeMetric), GetDetachError);
    }

    private AmqpError? GetDetachError()
    {
        if (_group.Deleted.IsCancellationRequested)
        {
            return Refusals.EntityNotFound(_hub.Name);
        }

        if (_farewell is not null)
        {
            return _farewell;
        }

        return _evictedBecause is { } reason ? new AmqpError(ErrorCondition.LinkStolen, reason) : null;
    }

    private async Task PushLoopAsync(AmqpSender sender, string link, long position, bool withRuntimeMetric)
    {
        var paid = 0L;
        var (received, delivered) = (default(Admission), default(Admission));
        while (true)
        {
            _loop.Stopping.ThrowIfCancellationRequested();
            var drain = sender.DrainRequested;
            var credit = sender.Credit;
            if (credit == 0)
            {
                if (drain)
                {
                    // Events that were sent before the request arrived have used up the credit.
                    sender.CompleteDrain();
                }

                await _loop.WaitAsync();
                continue;
            }

            // Counted by the link: a peer may use up its credit and give more before this loop checks.
            var grants = sender.GrantsWhenEmpty;
            if (grants != paid)
            {
                // The receive latency of the profile: from new credit on a link without credit until the next delivery. The credit was read before this loop
                // was woken.
                var granted = _latency.Before(TimeSpan.Zero, ILatency.WakesOfRead + 1);
                received = await _latency.ApplyAsync(EmulatedOperation.EventReceive, Load.One, granted, _loop.Stopping);
                paid = grants;
            }

            var count = _log.Read(position, _run.AsSpan(0, (int)Math.Min(credit, RunLength)));
            if (count == 0)
            {
                received.Answered();
                received = default;
                if (sender.DrainRequested)
                {
                    sender.CompleteDrain();
                }

                await _loop.WaitAsync();
                continue;
            }

            if (!_context.FaultInjection.Of(EmulatedOperation.EventDeliver).IsFree)
            {
                var load = GetLoad(_run.AsSpan(0, count));
                delivered = await _latency.ApplyAsync(EmulatedOperation.EventDeliver, load, _latency.Now, _loop.Stopping);
            }

            for (var sent = 0; sent < count; )
            {
                if (!_context.Faults.HasNoFaults)
                {
                    if (!await SendUnderFaultsAsync(sender, _run[sent], link, withRuntimeMetric))
                    {
                        return;
                    }

                    sent++;
                    continue;
                }

                var next = sent + CountReady(sender, _run.AsSpan(sent, count - sent));
                await SendAsync(sender, _run.AsMemory(sent, next - sent), link, withRuntimeMetric);
                sent = next;
            }

            received.Answered();
            delivered.Answered();
            (received, delivered) = (default, default);
            position = _run[count - 1].Sequence + 1;
        }
    }

    // The number of events that can be sent immediately. At least one, for which the caller waits.
    private static int CountReady(AmqpSender sender, ReadOnlySpan<StoredEvent> run)
    {
        var (count, room) = (0, sender.Room);
        while (count < run.Length && room.After(run[count].Encoded.Length + LargestMetric) is { } rest)
        {
            (count, room) = (count + 1, rest);
        }

        return Math.Max(1, count);
    }

    // Every event is recorded before it is sent, and every recorded event is sent. The stop of the link waits for the end of the run.
    private async Task SendAsync(AmqpSender sender, ReadOnlyMemory<StoredEvent> run, string link, bool withRuntimeMetric)
    {
        _loop.Stopping.ThrowIfCancellationRequested();
        _context.Journal.Delivered(_hub.Name, _group.Name, _log.Id, run.Span, link, _ownerLevel);
        for (var i = 0; i < run.Length; i++)
        {
            await SendAsync(sender, Encode(run.Span[i], withRuntimeMetric));
        }
    }

    private async ValueTask SendAsync(AmqpSender sender, ReadOnlyMemory<byte> encoded)
    {
        // As the service does, also when the peer leaves the mode open. Go's client never settles an event and would run out of credit.
        var settled = sender.RemoteAttach.SndSettleMode != SenderSettleMode.Unsettled;
        var transfer = sender.TransferAsync(new ReadOnlySequence<byte>(encoded), new OutgoingTransfer { Settled = settled }, CancellationToken.None);
        if (!transfer.IsCompletedSuccessfully)
        {
            await transfer.AsTask().WaitAsync(_loop.Stopping);
        }
    }

    // Returns false when the fault ends the link.
    private async Task<bool> SendUnderFaultsAsync(AmqpSender sender, StoredEvent stored, string link, bool withRuntimeMetric)
    {
        var one = new[] { stored };
        var target = new FaultTarget(FaultTarget.EventHubs, _hub.Name, _log.Id, _group.Name, stored.Offset);
        var fault = await _context.Faults.TryInjectAsync(FaultPoint.EventDeliver, target, _loop.Stopping);
        switch (fault?.Action)
        {
            case FaultAction.Drop:
                sender.Session.Connection.Abort(null);
                return false;
            case FaultAction.Detach:
                _farewell = fault.Reason.ToError(target);
                return false;
            case FaultAction.Steal:
                _farewell = FaultReason.Named("stolen").ToError(target);
                return false;
            case FaultAction.Duplicate:
                await SendAsync(sender, one, link, withRuntimeMetric);
                break;
            case FaultAction.Corrupt:
                one[0] = stored with { Encoded = TransferFaults.Corrupted(stored.Encoded) };
                break;
            default:
                break;
        }

        await SendAsync(sender, one, link, withRuntimeMetric);
        return true;
    }

    private ReadOnlyMemory<byte> Encode(StoredEvent stored, bool withRuntimeMetric) =>
        withRuntimeMetric ? stored.WithDeliveryAnnotations(RuntimeMetric()) : stored.Encoded;

    private static Load GetLoad(ReadOnlySpan<StoredEvent> run)
    {
        long bytes = 0;
        foreach (var stored in run)
        {
            bytes += stored.Encoded.Length;
        }

        return new Load(run.Length, bytes);
    }

    private AmqpMap RuntimeMetric()
    {
        var state = _log.State;
        return new AmqpMap
        {
            { new AmqpSymbol(AmqpNames.LastEnqueuedSequenceNumber), state.LastSequence },
            { new AmqpSymbol(AmqpNames.LastEnqueuedOffset), state.LastOffset },
            { new AmqpSymbol(AmqpNames.LastEnqueuedTime), new AmqpTimestamp(state.LastEnqueuedMilliseconds) },
            { new AmqpSymbol(AmqpNames.RuntimeInfoRetrievalTime), AmqpTimestamp.From(_context.Clock.GetUtcNow()) },
        };
    }
}
