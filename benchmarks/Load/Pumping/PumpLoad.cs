using System.Globalization;
using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Consumer;
using Azure.Messaging.EventHubs.Processor;
using EventHubThroughput.Pump;
using EventHubThroughput.Pump.Azure;

namespace EventHubThroughput.Load.Pumping;

/// <summary>A pump, or none, over a handler.</summary>
/// <param name="Pump">The name of its method. Null calls the handler directly, event after event.</param>
/// <param name="Yields">Whether the handler yields its thread once.</param>
/// <param name="OfProcessor">Whether the events come as the arguments of an <c>EventProcessorClient</c>, which store their own checkpoints.</param>
internal sealed record PumpRow(string? Pump, bool Yields, bool OfProcessor = false);

/// <summary>The cost of an event.</summary>
/// <param name="Microseconds">Time.</param>
/// <param name="ProcessorMicroseconds">Processor time of all threads.</param>
/// <param name="Bytes">What all threads allocated.</param>
internal readonly record struct PumpCost(double Microseconds, double ProcessorMicroseconds, double Bytes)
{
    public static PumpCost operator -(PumpCost one, PumpCost other) =>
        new(one.Microseconds - other.Microseconds, one.ProcessorMicroseconds - other.ProcessorMicroseconds, one.Bytes - other.Bytes);
}

/// <summary>Events of one partition through a pump whose handler does nothing. Events, keys and checkpoint functions are created before.</summary>
/// <param name="clock">The clock.</param>
/// <param name="events">Events of a round.</param>
internal sealed class PumpLoad(TimeProvider clock, int events)
{
    private const int Concurrency = 64;
    private const int Keys = 1_000;

    private readonly EventData[] items = [.. Enumerable.Range(0, events).Select(static _ => new EventData())];
    private readonly PartitionContext partition = new PartitionOfTest();
    private readonly string[] names = [.. Enumerable.Range(0, Keys).Select(static key => string.Create(CultureInfo.InvariantCulture, $"key-{key}"))];

    /// <summary>The bare handlers, and each pump over them.</summary>
    public static IReadOnlyList<PumpRow> Rows { get; } = [.. GetRows(yields: false), .. GetRows(yields: true)];

    public async Task<PumpCost> MeasureAsync(PumpRow row, CancellationToken cancellationToken)
    {
        Func<EventData, CancellationToken, ValueTask> handler = row.Yields ? static async (_, _) => await Task.Yield() : static (_, _) => default;
        var (began, processor, allocated) = (clock.GetTimestamp(), Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(precise: true));
        if (row.Pump is null)
        {
            foreach (var item in items)
            {
                await handler(item, cancellationToken);
            }
        }
        else if (row.OfProcessor)
        {
            await using var pump = Create(row.Pump, handler);
            foreach (var item in items)
            {
                await pump.AcceptAsync(new ProcessEventArgs(partition, item, Stored, cancellationToken));
            }
        }
        else
        {
            await using var pump = Create(row.Pump, handler);
            foreach (var item in items)
            {
                await pump.AcceptAsync("0", item, Stored, cancellationToken);
            }
        }

        return new PumpCost(
            clock.GetElapsedTime(began).TotalMicroseconds / events,
            (Environment.CpuUsage.TotalTime - processor).TotalMicroseconds / events,
            (double)(GC.GetTotalAllocatedBytes(precise: true) - allocated) / events
        );
    }

    private static IEnumerable<PumpRow> GetRows(bool yields) =>
        [
            new(null, yields),
            new(nameof(EventPump.InOrder), yields),
            new(nameof(EventPump.ByKey), yields),
            new(nameof(EventPump.Unordered), yields),
            new(nameof(EventPump.Adaptive), yields),
            new(nameof(EventPump.Unordered), yields, OfProcessor: true),
        ];

    private static Task Stored(CancellationToken cancellationToken) => Task.CompletedTask;

    private EventPump<EventData> Create(string name, Func<EventData, CancellationToken, ValueTask> handler)
    {
        var next = 0L;
        return name switch
        {
            nameof(EventPump.InOrder) => EventPump.InOrder(handler),
            nameof(EventPump.ByKey) => EventPump.ByKey(_ => names[(int)(next++ * 7919 % Keys)], Concurrency, handler),
            nameof(EventPump.Unordered) => EventPump.Unordered(Concurrency, handler),
            _ => EventPump.Adaptive(Concurrency, handler),
        };
    }

    private sealed class PartitionOfTest() : PartitionContext("namespace", "hub", "$Default", "0");
}
