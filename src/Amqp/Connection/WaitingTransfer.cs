using System.Buffers;

namespace EventHubThroughput.Amqp;

/// <summary>A message that has found no credit, window or room yet, or is half sent. Guarded by its connection's lock.</summary>
internal sealed class WaitingTransfer(ReadOnlySequence<byte> payload, OutgoingTransfer transfer, OutgoingDelivery delivery)
{
    public ReadOnlySequence<byte> Rest { get; set; } = payload;

    public OutgoingTransfer Transfer { get; } = transfer;

    public OutgoingDelivery Delivery { get; } = delivery;

    public bool Started { get; set; }

    public bool Aborted { get; set; }

    public TaskCompletionSource<OutgoingDelivery> Completion
    {
        get => field ??= new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
