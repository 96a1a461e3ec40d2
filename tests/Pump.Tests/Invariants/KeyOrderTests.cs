using EventHubThroughput.Events;
using EventHubThroughput.Pump.Invariants;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Invariants;

/// <summary>The record of the keys' order against the plainest one: a list of what is open.</summary>
public sealed class KeyOrderTests
{
    [Fact]
    public void The_order_agrees_with_a_list_of_open_events() =>
        Check.One(
            PropertyCases.Usual,
            Prop.ForAll(
                ArbMap.Default.ArbFor<NonEmptyArray<(byte Key, byte Completes, bool Adds)>>(),
                steps =>
                {
                    var order = new KeyOrder();
                    var open = new List<EventSlot>();
                    var next = 0L;
                    foreach (var (key, completes, adds) in steps.Get)
                    {
                        if (adds || open.Count == 0)
                        {
                            var added = Some.Event(next++, key: key % 4 == 0 ? null : $"key-{key % 4}");
                            order.Add(added);
                            open.Add(added);
                        }
                        else
                        {
                            // In any order: a strategy that breaks it continues until it is stopped.
                            var completed = open[completes % open.Count];
                            order.Complete(completed.SequenceNumber);
                            open.Remove(completed);
                        }

                        Assert.All(open, one => Assert.Equal(FirstBefore(open, one), order.OpenBefore(one.SequenceNumber)));
                    }
                }
            )
        );

    [Fact]
    public void An_event_that_was_never_delivered_or_is_complete_has_no_predecessor()
    {
        var order = new KeyOrder();
        order.Add(Some.Event(1, key: "a"));
        order.Add(Some.Event(2, key: "a"));
        order.Complete(1);
        order.Complete(1);

        Assert.Null(order.OpenBefore(2));
        Assert.Null(order.OpenBefore(1));
        Assert.Null(order.OpenBefore(7));
    }

    [Fact]
    public void Order_of_keys_allocates_nothing_after_it_has_grown_to_the_window()
    {
        var order = new KeyOrder();
        var events = Enumerable.Range(0, 20_000).Select(index => Some.Event(index, key: $"key-{index / 3}")).ToArray();
        Pass(events.AsSpan(0, 2_000));

        Assert.Equal(0, Allocations.GetMinimum(() => Pass(events.AsSpan(2_000))));

        void Pass(ReadOnlySpan<EventSlot> some)
        {
            const int Window = 100;
            for (var index = 0; index < some.Length + Window; index++)
            {
                if (index < some.Length)
                {
                    order.Add(some[index]);
                    _ = order.OpenBefore(some[index].SequenceNumber);
                }

                if (index >= Window)
                {
                    order.Complete(some[index - Window].SequenceNumber);
                }
            }
        }
    }

    private static long? FirstBefore(List<EventSlot> open, EventSlot one) =>
        one.Key is null ? null : open.Find(other => other.Key == one.Key && other.SequenceNumber < one.SequenceNumber)?.SequenceNumber;
}
