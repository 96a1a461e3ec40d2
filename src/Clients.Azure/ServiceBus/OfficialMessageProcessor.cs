using Azure.Messaging.ServiceBus;
using EventHubThroughput.Clients.Azure.Lifetime;
using EventHubThroughput.Clients.ServiceBus;

namespace EventHubThroughput.Clients.Azure.ServiceBus;

/// <summary>
/// The processor of the package for the messages of one entity. A message is completed after its handler. If the handler throws, the package abandons it.
/// </summary>
internal sealed class OfficialMessageProcessor : IAsyncDisposable
{
    private readonly ServiceBusProcessor processor;
    private readonly Func<ReceivedMessage, CancellationToken, ValueTask> handler;

    private long completed;
    private long locksLost;
    private long handlerFailures;
    private int handling;
    private int mostHandling;

    /// <param name="processor">The package's processor, owned by this one. It must not complete messages itself.</param>
    /// <param name="handler">Called for each message, concurrently.</param>
    public OfficialMessageProcessor(ServiceBusProcessor processor, Func<ReceivedMessage, CancellationToken, ValueTask> handler)
    {
        (this.processor, this.handler) = (processor, handler);
        processor.ProcessMessageAsync += HandleAsync;
        processor.ProcessErrorAsync += CountAsync;
    }

    /// <summary>The counts so far, as far as the package shows them. An abandoned message is one whose handler threw.</summary>
    public MessageProcessorCounts Counts =>
        new(
            Completed: Interlocked.Read(ref completed),
            Abandoned: Interlocked.Read(ref handlerFailures),
            Deferred: 0,
            DeadLettered: 0,
            SettledByHandler: 0,
            Unsettled: Interlocked.Read(ref locksLost),
            LocksLost: Interlocked.Read(ref locksLost),
            HandlerFailures: Interlocked.Read(ref handlerFailures),
            Handling: Volatile.Read(ref handling),
            MostHandling: Volatile.Read(ref mostHandling)
        );

    /// <summary>Runs until it is stopped. Messages in progress are finished.</summary>
    public async Task RunAsync(CancellationToken stop)
    {
        await processor.StartProcessingAsync(stop).ConfigureAwait(false);
        var stopped = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var registration = stop.UnsafeRegister(static source => ((TaskCompletionSource)source!).TrySetResult(), stopped).ConfigureAwait(false);
        await stopped.Task.ConfigureAwait(false);
        await processor.StopProcessingAsync(CancellationToken.None).ConfigureAwait(false);
    }

    public ValueTask DisposeAsync() => Closing.EndAsync(processor.DisposeAsync);

    private async Task HandleAsync(ProcessMessageEventArgs arguments)
    {
        var now = Interlocked.Increment(ref handling);
        for (var known = Volatile.Read(ref mostHandling); now > known; known = Volatile.Read(ref mostHandling))
        {
            Interlocked.CompareExchange(ref mostHandling, now, known);
        }

        try
        {
            await handler(MessageConversion.Of(arguments.Message, peeked: false), arguments.CancellationToken).ConfigureAwait(false);

            // A stop does not leave a message that was handled.
            await arguments.CompleteMessageAsync(arguments.Message, CancellationToken.None).ConfigureAwait(false);
            Interlocked.Increment(ref completed);
        }
        finally
        {
            Interlocked.Decrement(ref handling);
        }
    }

    // The package also reports what it tries again.
    private Task CountAsync(ProcessErrorEventArgs arguments)
    {
        if (arguments.Exception is ServiceBusException { Reason: ServiceBusFailureReason.MessageLockLost })
        {
            Interlocked.Increment(ref locksLost);
        }
        else if (arguments.ErrorSource == ServiceBusErrorSource.ProcessMessageCallback)
        {
            Interlocked.Increment(ref handlerFailures);
        }

        return Task.CompletedTask;
    }
}
