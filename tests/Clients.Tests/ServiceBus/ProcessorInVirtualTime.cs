using System.Collections.Concurrent;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Clients.Tests.ServiceBus;

/// <summary>A message processor whose time moves only while nothing else does.</summary>
public abstract class ProcessorInVirtualTime
{
    private protected const int Limit = 60_000;

    private protected VirtualClock Clock { get; } = new();

    private protected ConcurrentQueue<MessageProcessorError> Errors { get; } = [];

    private protected static CancellationToken Token => TestContext.Current.CancellationToken;

    private protected static ValueTask<MessageOutcome> Complete(ReceivedMessage message, CancellationToken cancellationToken) => new(MessageOutcome.Complete);

    private protected static MessageProcessor Create(
        MemoryReceiver receiver,
        Func<ReceivedMessage, CancellationToken, ValueTask<MessageOutcome>> handle,
        MessageProcessorOptions options
    ) => new(receiver, handle, options);

    private protected MessageProcessorOptions Options(int limit) =>
        new()
        {
            MaximumConcurrentCalls = limit,
            Seed = 1,
            TimeProvider = Clock,
            ErrorHandler = Errors.Enqueue,
        };

    private protected static async Task WaitAsync(Func<bool> condition)
    {
        while (!condition())
        {
            await Task.Run(static () => { }, Token);
        }
    }

    // Stops when the condition is true. Time moves only while nothing else does.
    private protected async Task RunAsync(MessageProcessor processor, CancellationTokenSource stop, Func<bool> enough)
    {
        var running = processor.RunAsync(stop.Token);
        await Task.WhenAny(running, StopAsync());
        await RunAsync(running);

        async Task StopAsync()
        {
            while (!running.IsCompleted && !enough())
            {
                await StepAsync(running);
            }

            await stop.CancelAsync();
        }
    }

    private protected async Task RunAsync(Task running)
    {
        while (!running.IsCompleted)
        {
            await StepAsync(running);
        }

        await running;
    }

    private protected async Task StepAsync(Task running)
    {
        for (var turn = 0; turn < 20 && !running.IsCompleted; turn++)
        {
            await Task.Run(static () => { }, Token);
        }

        if (!running.IsCompleted)
        {
            Clock.AdvanceToNextTimer();
        }
    }
}
