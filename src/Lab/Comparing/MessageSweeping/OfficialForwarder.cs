using Azure.Messaging.ServiceBus;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure.Auth;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>Forwards with the processor of Azure.Messaging.ServiceBus. Options that are not set have the defaults of the package.</summary>
internal sealed class OfficialForwarder : IForwarder
{
    private readonly ServiceBusClient receiving;
    private readonly ServiceBusClient sending;
    private readonly ServiceBusSender sender;
    private readonly ServiceBusProcessor processor;
    private readonly HandlerWork work;
    private readonly TimeProvider clock;

    private long forwarded;
    private long completed;
    private long locksLost;
    private long failed;
    private int handling;
    private long mostHandling;

    /// <param name="options">The worker's options.</param>
    /// <param name="settings">The addresses of the services.</param>
    /// <param name="clock">The clock.</param>
    public OfficialForwarder(WorkerOptions options, MessagingSettings settings, TimeProvider clock)
    {
        var connection = SdkConnectionString.Of(settings.ServiceBus!);
        (receiving, sending, work, this.clock) = (new ServiceBusClient(connection), new ServiceBusClient(connection), options.Work, clock);
        sender = sending.CreateSender(options.Target);
        processor = receiving.CreateProcessor(
            options.Entity,
            new ServiceBusProcessorOptions
            {
                AutoCompleteMessages = false,
                MaxConcurrentCalls = options.Concurrency,
                PrefetchCount = 0,
            }
        );
        processor.ProcessMessageAsync += ForwardAsync;
        processor.ProcessErrorAsync += CountAsync;
    }

    public ForwarderCounts Counts =>
        new(
            Interlocked.Read(ref forwarded),
            Interlocked.Read(ref completed),
            Interlocked.Read(ref locksLost),
            Interlocked.Read(ref failed),
            (int)Interlocked.Read(ref mostHandling)
        );

    public async Task RunAsync(CancellationToken stop)
    {
        await processor.StartProcessingAsync(stop);
        await Task.Delay(Timeout.InfiniteTimeSpan, clock, stop).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await processor.StopProcessingAsync(CancellationToken.None);
    }

    public async ValueTask DisposeAsync()
    {
        await processor.DisposeAsync();
        await sender.DisposeAsync();
        await sending.DisposeAsync();
        await receiving.DisposeAsync();
    }

    // The handler throws when it fails, and the package gives the message back.
    private async Task ForwardAsync(ProcessMessageEventArgs arguments)
    {
        InterlockedExtremes.KeepLargest(ref mostHandling, Interlocked.Increment(ref handling));
        try
        {
            work.BlockThread(arguments.CancellationToken);
            await sender.SendMessageAsync(
                new ServiceBusMessage(arguments.Message.Body) { MessageId = arguments.Message.MessageId },
                arguments.CancellationToken
            );
            Interlocked.Increment(ref forwarded);

            // A stop does not leave a message that was forwarded.
            await arguments.CompleteMessageAsync(arguments.Message, CancellationToken.None);
            Interlocked.Increment(ref completed);
        }
        finally
        {
            Interlocked.Decrement(ref handling);
        }
    }

    private Task CountAsync(ProcessErrorEventArgs arguments)
    {
        if (arguments.Exception is ServiceBusException { Reason: ServiceBusFailureReason.MessageLockLost })
        {
            Interlocked.Increment(ref locksLost);
        }
        else if (arguments.ErrorSource == ServiceBusErrorSource.ProcessMessageCallback)
        {
            Interlocked.Increment(ref failed);
        }

        return Task.CompletedTask;
    }
}
