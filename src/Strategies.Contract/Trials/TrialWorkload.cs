using System.Globalization;
using EventHubThroughput.Events;
using EventHubThroughput.Testing;

namespace EventHubThroughput.Strategies.Contract.Trials;

/// <summary>Batches, sinks and limits, all random: what one schedule gives a strategy.</summary>
internal sealed class TrialWorkload
{
    private const int MostLatency = 20;

    private readonly Chance chance;

    public TrialWorkload(StrategyDescriptor strategy, Chance chance)
    {
        this.chance = chance;
        MaxConcurrency = strategy.MaxConcurrencyInForce(chance.Between(1, 12));
        Window = chance.Between(MaxConcurrency, 64);
        Sinks = chance.Between(0, 3);
        Keys = chance.Between(0, 5);
        Batches = Cut(chance.Between(1, 4));
    }

    public int MaxConcurrency { get; }

    public int Window { get; }

    public int Sinks { get; }

    public int Keys { get; }

    public IReadOnlyList<IReadOnlyList<EventSlot>> Batches { get; }

    public IEnumerable<EventSlot> Events => Batches.SelectMany(batch => batch);

    /// <summary>Consecutive events, with this number of keys in turn, or without keys.</summary>
    public static IReadOnlyList<EventSlot> Batch(int count, long first = 0, int keys = 0) =>
        [.. Enumerable.Range(0, count).Select(place => Event(first + place, InTurn(first + place, keys)))];

    /// <summary>A life of the strategy under this workload. Any failure is thrown.</summary>
    public async Task<Trial> LiveAsync(StrategyDescriptor strategy, Func<StrategyContext, StrategyContext>? change = null)
    {
        var trial = Open(strategy, chance.Clock, change);
        await LiveAsync(trial);
        return trial;
    }

    /// <summary>The life of a trial that was opened for this workload. Any failure is thrown.</summary>
    public async Task LiveAsync(Trial trial)
    {
        var end = await trial.LiveAsync(Batches, CancellationToken.None);
        if (trial.Surfaced(end).FirstOrDefault() is { } failure)
        {
            throw new StrategyContractException($"{failure.GetType().Name} without any write that failed: {failure.Message}", failure);
        }
    }

    public Trial Open(StrategyDescriptor strategy, VirtualClock clock, Func<StrategyContext, StrategyContext>? change = null) =>
        new(
            strategy,
            clock,
            trial => [.. Enumerable.Range(0, Sinks).Select(place => Jittered(trial, clock, $"sink{place}"))],
            context =>
            {
                var limited = context with { MaxConcurrency = MaxConcurrency, Window = Window, Seed = chance.Seed };
                return change?.Invoke(limited) ?? limited;
            }
        );

    // Latencies and outcomes of all kinds, except failures.
    private TrialSink Jittered(Trial trial, VirtualClock clock, string name) =>
        new(
            trial,
            name,
            (_, cancellationToken) => clock.DelayAsync(TimeSpan.FromMilliseconds(chance.Between(0, MostLatency)), cancellationToken),
            elapsed => new WriteOutcome(elapsed, chance.Between(1, 3), Throttled: chance.Between(0, 9) == 0, DeadLettered: chance.Between(0, 19) == 0),
            Math.Max(1, chance.Between(-4, 8))
        );

    private static string? InTurn(long sequence, int keys) => keys == 0 ? null : $"key {sequence * 7 % keys}";

    private static EventSlot Event(long sequence, string? key) =>
        new()
        {
            SequenceNumber = sequence,
            Offset = (sequence * 100).ToString(CultureInfo.InvariantCulture),
            Key = key,
        };

    private List<IReadOnlyList<EventSlot>> Cut(int count)
    {
        var batches = new List<IReadOnlyList<EventSlot>>();
        for (var first = 0L; batches.Count < count; first += batches[^1].Count)
        {
            batches.Add([.. Enumerable.Range(0, chance.Between(1, 25)).Select(place => Event(first + place, DrawnKey()))]);
        }

        return batches;
    }

    // Several events of a key may follow each other, and an event without a key may be anywhere.
    private string? DrawnKey() => Keys == 0 || chance.Between(0, 7) == 0 ? null : $"key {chance.Between(0, Keys - 1)}";
}
