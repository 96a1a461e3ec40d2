using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Lab.Configuration;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>Receives messages with the processor of one family of clients, forwards them over a second connection, and lets the processor complete them.</summary>
internal sealed class Forwarder : IAsyncDisposable
{
    private readonly IMessagingClients sending;
    private readonly IMessageSender sender;
    private readonly HandlerWork work;

    private Func<CancellationToken, Task> run = static _ => throw new InvalidOperationException("The forwarder has no processor.");
    private Func<MessageProcessorCounts> count = static () => default;
    private IAsyncDisposable[] owned = [];
    private long forwarded;

    private Forwarder(WorkerOptions options, IMessagingClients sending) =>
        (this.sending, sender, work) = (sending, sending.CreateMessageSender(options.Target), options.Work);

    /// <summary>Messages that were sent to the target.</summary>
    public long Forwarded => Interlocked.Read(ref forwarded);

    /// <summary>The counts of the processor.</summary>
    public MessageProcessorCounts Counts => count();

    /// <summary>Creates one over the processor of the Azure package.</summary>
    /// <param name="options">The worker's options.</param>
    /// <param name="receiving">The clients of the source.</param>
    /// <param name="sending">The clients of the target.</param>
    public static Forwarder OfPackage(WorkerOptions options, OfficialClients receiving, OfficialClients sending)
    {
        var forwarder = new Forwarder(options, sending);
        var processor = receiving.CreateMessageProcessor(options.Entity, options.Concurrency, forwarder.ForwardAsync);
        (forwarder.run, forwarder.count, forwarder.owned) = (processor.RunAsync, () => processor.Counts, [processor, receiving]);
        return forwarder;
    }

    /// <summary>Creates one over the processor of this project.</summary>
    /// <param name="options">The worker's options.</param>
    /// <param name="receiving">The clients of the source. Each try once, since the processor tries again.</param>
    /// <param name="sending">The clients of the target.</param>
    /// <param name="clock">The clock.</param>
    public static Forwarder OfProject(WorkerOptions options, IMessagingClients receiving, IMessagingClients sending, TimeProvider clock)
    {
        var forwarder = new Forwarder(options, sending);
        var receiver = receiving.CreateMessageReceiver(options.Entity, new MessageReceiverOptions());
        var processor = new MessageProcessor(
            receiver,
            async (message, cancellationToken) =>
            {
                await forwarder.ForwardAsync(message, cancellationToken);
                return MessageOutcome.Complete;
            },
            new MessageProcessorOptions { MaximumConcurrentCalls = options.Concurrency, TimeProvider = clock }
        );
        (forwarder.run, forwarder.count, forwarder.owned) = (processor.RunAsync, () => processor.Counts, [receiver, receiving]);
        return forwarder;
    }

    /// <summary>Runs until it is stopped. Messages in progress are finished.</summary>
    public Task RunAsync(CancellationToken stop) => run(stop);

    public async ValueTask DisposeAsync()
    {
        foreach (var one in owned)
        {
            await one.DisposeAsync();
        }

        await sender.DisposeAsync();
        await sending.DisposeAsync();
    }

    private async ValueTask ForwardAsync(ReceivedMessage message, CancellationToken cancellationToken)
    {
        work.BlockThread(cancellationToken);
        await sender.SendAsync(new OutgoingMessage { MessageId = message.MessageId, Body = message.Body }, cancellationToken);
        Interlocked.Increment(ref forwarded);
    }
}
