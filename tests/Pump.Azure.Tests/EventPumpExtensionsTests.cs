using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Consumer;
using Azure.Messaging.EventHubs.Processor;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Pump.Azure.Tests;

/// <summary>What each event of a processor does to the pump.</summary>
public sealed class EventPumpExtensionsTests
{
    private readonly List<string> handled = [];
    private readonly List<string> stored = [];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public void Event_is_handled_and_stored_after_a_shutdown() => Run(ProcessingStoppedReason.Shutdown, ["a", "b"]);

    [Fact]
    public void Nothing_is_stored_after_the_partition_is_lost() => Run(ProcessingStoppedReason.OwnershipLost, []);

    [Fact]
    public void Call_without_an_event_is_ignored() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var pump = GetPump(clock);

            await pump.AcceptAsync(Args(null));
            await pump.CloseAsync(new PartitionClosingEventArgs("3", ProcessingStoppedReason.Shutdown, Cancellation));

            Assert.Empty(handled);
            Assert.Empty(stored);
        });

    [Fact]
    public void Initialising_drains_an_incarnation_that_was_not_closed() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var pump = GetPump(clock);
            await pump.AcceptAsync(Args("a"));
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Cancellation);

            await pump.OpenAsync(new PartitionInitializingEventArgs("3", EventPosition.Earliest, Cancellation));

            Assert.Equal(["a"], handled);
            Assert.Empty(stored);
        });

    [Fact]
    public void Handler_of_the_arguments_of_the_processor_gets_the_partition_with_the_event() =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var pump = EventPump.InOrder<ProcessEventArgs>(
                (args, _) =>
                {
                    handled.Add($"{args.Partition.PartitionId} {args.Data.EventBody}");
                    return ValueTask.CompletedTask;
                },
                new EventPumpOptions { TimeProvider = clock }
            );
            Func<ProcessEventArgs, Task> process = pump.AcceptAsync;
            Func<PartitionClosingEventArgs, Task> closing = pump.CloseAsync;

            await process(Args(null));
            await process(Args("a"));
            await closing(new PartitionClosingEventArgs("3", ProcessingStoppedReason.Shutdown, Cancellation));

            Assert.Equal(["3 a"], handled);
            Assert.Equal(["a"], stored);
        });

    private void Run(ProcessingStoppedReason reason, string[] expected) =>
        VirtualTimeRunner.Run(async clock =>
        {
            await using var pump = GetPump(clock);
            Func<ProcessEventArgs, Task> process = pump.AcceptAsync;
            Func<PartitionClosingEventArgs, Task> closing = pump.CloseAsync;
            await process(Args("a"));
            await process(Args("b"));
            await clock.DelayAsync(TimeSpan.FromMilliseconds(1), Cancellation);

            await closing(new PartitionClosingEventArgs("3", reason, Cancellation));

            Assert.Equal(["a", "b"], handled);
            Assert.Equal(expected.TakeLast(1), stored);
        });

    private EventPump<EventData> GetPump(TimeProvider clock) =>
        EventPump.Unordered<EventData>(
            4,
            async (one, token) =>
            {
                await Task.Delay(TimeSpan.FromMilliseconds(10), clock, token);
                handled.Add(one.EventBody.ToString());
            },
            new EventPumpOptions { TimeProvider = clock }
        );

    private ProcessEventArgs Args(string? body) =>
        new(
            EventHubsModelFactory.PartitionContext("namespace", "hub", "$Default", "3"),
            body is null ? null : new EventData(body),
            _ =>
            {
                stored.Add(body!);
                return Task.CompletedTask;
            },
            Cancellation
        );
}
