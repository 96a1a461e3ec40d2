using EventHubThroughput.Events;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Strategies.Tests;

/// <summary>Which failure of several an event ends with.</summary>
public sealed class EventWritesTests
{
    private static readonly Exception First = new IOException("first");
    private static readonly Exception Second = new IOException("second");
    private static readonly Exception Cut = new OperationCanceledException("cut");

    public static TheoryData<Exception, Exception, Exception> Failures =>
        new()
        {
            { First, Second, First },
            { Cut, First, First },
            { First, Cut, First },
            { Cut, new OperationCanceledException("cut later"), Cut },
        };

    [Theory]
    [MemberData(nameof(Failures), DisableDiscoveryEnumeration = true)]
    public async Task The_first_failure_counts_but_none_is_hidden_by_a_cut(Exception one, Exception other, Exception expected)
    {
        var thrown = await Assert.ThrowsAnyAsync<Exception>(() =>
            EventWrites.ConcurrentlyAsync(Some.Event(0), [new FailingSink(one), new FailingSink(other)], TestContext.Current.CancellationToken).AsTask()
        );

        Assert.Same(expected, thrown);
    }

    private sealed class FailingSink(Exception failure) : ITrackedSink
    {
        public string Name => "failing";

        public ValueTask<WriteOutcome> WriteAsync(EventSlot receivedEvent, CancellationToken cancellationToken) =>
            ValueTask.FromException<WriteOutcome>(failure);

        public ValueTask<IReadOnlyList<WriteOutcome>> WriteBatchAsync(IReadOnlyList<EventSlot> events, CancellationToken cancellationToken) =>
            throw new NotSupportedException();
    }
}
