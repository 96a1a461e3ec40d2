using EventHubThroughput.Clients;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Lab.Configuration;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>Forwards with the message processor of this project.</summary>
internal sealed class BuiltInForwarder : IForwarder
{
    private readonly IMessagingClients receiving;
    private readonly IMessagingClients sending;
    private readonly IMessageReceiver receiver;
    private readonly IMessageSender sender;
    private readonly MessageProcessor processor;
    private readonly HandlerWork work;

    private long forwarded;

    /// <param name="options">The worker's options.</param>
    /// <param name="receiving">The clients of the source. Each try once, since the processor tries again.</param>
    /// <param name="sending">The clients of the target, on another connection.</param>
    /// <param name="clock">The clock.</param>
    public BuiltInForwarder(WorkerOptions options, IMessagingClients receiving, IMessagingClients sending, TimeProvider clock)
    {
        (this.receiving, this.sending, work) = (receiving, sending, options.Work);
        sender = sending.CreateMessageSender(options.Target);
        receiver = receiving.CreateMessageReceiver(options.Entity, new MessageReceiverOptions());
        processor = new MessageProcessor(
            receiver,
            ForwardAsync,
            new MessageProcessorOptions { MaximumConcurrentCalls = options.Concurrency, TimeProvider = clock }
        );
    }

    public ForwarderCounts Counts =>
        processor.Counts is var counts
            ? new ForwarderCounts(Interlocked.Read(ref forwarded), counts.Completed, counts.LocksLost, counts.Abandoned, counts.MostHandling)
            : default;

    public Task RunAsync(CancellationToken stop) => processor.RunAsync(stop);

    public async ValueTask DisposeAsync()
    {
        await receiver.DisposeAsync();
        await sender.DisposeAsync();
        await sending.DisposeAsync();
        await receiving.DisposeAsync();
    }

    private async ValueTask<MessageOutcome> ForwardAsync(ReceivedMessage message, CancellationToken cancellationToken)
    {
        work.BlockThread(cancellationToken);
        await sender.SendAsync(new OutgoingMessage { MessageId = message.MessageId, Body = message.Body }, cancellationToken);
        Interlocked.Increment(ref forwarded);
        return MessageOutcome.Complete;
    }
}
