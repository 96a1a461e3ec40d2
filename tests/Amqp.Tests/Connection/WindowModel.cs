using System.Collections.Concurrent;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>
/// The rules of session and link that a sender must keep (AMQP 1.0 part 2, 2.5.6 and 2.6.7), judged from its frames alone. There is no transfer
/// beyond the peer's window and no delivery beyond the credit. A link has one delivery at a time, and no frame refers to one that was never sent. For
/// one session.
/// </summary>
internal sealed class WindowModel : IFrameObserver
{
    private readonly Lock gate = new();
    private readonly Dictionary<uint, Link> byHandle = [];
    private uint sentTransfers;
    private uint? window;
    private uint nextDelivery;

    /// <summary>What was broken, in words.</summary>
    public ConcurrentQueue<string> Breaches { get; } = [];

    /// <summary>Deliveries that were sent, at least in part.</summary>
    public uint Deliveries
    {
        get
        {
            lock (gate)
            {
                return nextDelivery;
            }
        }
    }

    public void Saw(FrameDirection direction, ProtocolHeader header) { }

    public void Saw(FrameDirection direction, in Frame frame)
    {
        lock (gate)
        {
            switch (frame.Performative)
            {
                case Begin begin when direction == FrameDirection.Received:
                    window = begin.IncomingWindow;
                    break;
                case Attach attach when direction == FrameDirection.Sent:
                    byHandle[attach.Handle] = new Link();
                    break;
                case Flow flow when direction == FrameDirection.Received:
                    TakeFlow(flow);
                    break;
                case Flow { Drain: true, Handle: { } handle } flow:
                    byHandle[handle].Count = flow.DeliveryCount!.Value;
                    break;
                case Transfer transfer when direction == FrameDirection.Sent:
                    TakeTransfer(transfer);
                    break;
                case Disposition { Role: LinkRole.Receiver } disposition when direction == FrameDirection.Received:
                    Expect((disposition.Last ?? disposition.First) < nextDelivery, $"{disposition} came when {nextDelivery} deliveries had been sent");
                    break;
            }
        }
    }

    // The receiving end of the tests numbers its links as they are attached, so that both ends have the same handles.
    private void TakeFlow(Flow flow)
    {
        if (flow.NextIncomingId is { } next)
        {
            window = next + flow.IncomingWindow;
        }

        if (flow is { Handle: { } handle, LinkCredit: { } credit } && byHandle.TryGetValue(handle, out var link))
        {
            link.Limit = (flow.DeliveryCount ?? 0) + credit;
        }
    }

    private void TakeTransfer(Transfer transfer)
    {
        Expect(sentTransfers < window, $"transfer {sentTransfers} went beyond the window of {window}");
        sentTransfers++;
        var link = byHandle[transfer.Handle];
        if (!link.IsInDelivery)
        {
            Expect(transfer.DeliveryId == nextDelivery, $"delivery {transfer.DeliveryId} came after {nextDelivery} others");
            nextDelivery++;
            Expect(link.Count < link.Limit, $"delivery {transfer.DeliveryId} went beyond the credit of link {transfer.Handle}: {link.Count} of {link.Limit}");
            link.Count++;
            link.Delivery = transfer.DeliveryId;
        }
        else
        {
            Expect((transfer.DeliveryId ?? link.Delivery) == link.Delivery, $"delivery {transfer.DeliveryId} began within delivery {link.Delivery}");
        }

        link.IsInDelivery = transfer.More && !transfer.Aborted;
    }

    private void Expect(bool holds, string breach)
    {
        if (!holds)
        {
            Breaches.Enqueue(breach);
        }
    }

    private sealed class Link
    {
        public uint Count { get; set; }

        public uint Limit { get; set; }

        public uint? Delivery { get; set; }

        public bool IsInDelivery { get; set; }
    }
}
