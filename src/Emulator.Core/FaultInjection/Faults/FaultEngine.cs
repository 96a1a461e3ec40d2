using System.Text.Json;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>
/// The faults that are armed. Endpoints ask it before each operation. With nothing armed that is one look at a field. What
/// strikes is in the journal before it has any effect: a record that cannot be written refuses the operation.
/// </summary>
internal sealed class FaultEngine(JournalWriter? journal, IDeadlines deadlines, int seed)
{
    private readonly Lock _gate = new();

    // Replaced as a whole under the gate, read without it.
    private volatile ArmedFault[] _armed = [];

    // Under the gate: how many rules of a name there were.
    private readonly Dictionary<string, int> _armedBefore = new(StringComparer.Ordinal);
    private int _lastNumber;

    public static FaultEngine Quiet { get; } = new(null, new NoDeadlines(), 0);

    /// <summary>Called when faults have been armed. Must not block.</summary>
    public Action? Changed { get; set; }

    public bool HasNoFaults => _armed.Length == 0;

    public IReadOnlyList<ArmedFault> Armed => _armed;

    public IReadOnlyList<ArmedFault> Arm(IEnumerable<FaultRule> rules)
    {
        ArmedFault[] added;
        lock (_gate)
        {
            added = [.. rules.Select(rule => new ArmedFault(rule, ++_lastNumber, Turn(rule.Name), seed, deadlines.Clock))];
            _armed = [.. _armed, .. added];
        }

        Changed?.Invoke();
        return added;
    }

    /// <summary>Takes away those with a name or number, or all. Says how many there were.</summary>
    public int Disarm(string? which)
    {
        lock (_gate)
        {
            var before = _armed.Length;
            _armed = which is null
                ? []
                : [.. _armed.Where(fault => fault.Rule.Name != which && fault.Number.ToString(System.Globalization.CultureInfo.InvariantCulture) != which)];
            return before - _armed.Length;
        }
    }

    /// <summary>
    /// What befalls an operation, null for nothing. Delays are over when it completes. Any other action is the caller's to carry
    /// out, at most one.
    /// </summary>
    public ValueTask<FaultRule?> TryInjectAsync(FaultPoint point, FaultTarget target, CancellationToken cancellationToken) =>
        HasNoFaults ? default : MeetArmedAsync(point, target, cancellationToken);

    public Task WaitAsync(TimeSpan duration, CancellationToken cancellationToken) =>
        deadlines.UntilAsync(deadlines.Clock.GetTimestamp() + (long)(duration.TotalSeconds * deadlines.Clock.TimestampFrequency), cancellationToken).AsTask();

    /// <summary>By how much the clock of blobs is wrong now.</summary>
    public TimeSpan Skew()
    {
        var skew = TimeSpan.Zero;
        foreach (var fault in _armed)
        {
            if (fault.Rule.Action == FaultAction.Skew && fault.IsInForce)
            {
                // Said once. It holds as long as the rule is in force. A clock cannot refuse: what cannot be recorded waits.
                try
                {
                    fault.StrikeOnce(rule => Record(rule, FaultPoint.StorageClock, new FaultTarget(FaultTarget.Blobs)));
                    skew += TimeSpan.FromSeconds(fault.Rule.SkewSeconds);
                }
                catch (IOException)
                {
                    // The operation that asks is refused when it comes to record itself.
                }
            }
        }

        return skew;
    }

    public static string NameOf<T>(T value)
        where T : struct, Enum => JsonNamingPolicy.CamelCase.ConvertName(value.ToString());

    private int Turn(string name)
    {
        var turn = _armedBefore.GetValueOrDefault(name);
        _armedBefore[name] = turn + 1;
        return turn;
    }

    private async ValueTask<FaultRule?> MeetArmedAsync(FaultPoint point, FaultTarget target, CancellationToken cancellationToken)
    {
        foreach (var fault in _armed)
        {
            if (!fault.TryStrike(point, target))
            {
                continue;
            }

            Record(fault.Rule, point, target with { Detail = fault.Rule.Detail ?? target.Detail });
            if (fault.Rule.Action != FaultAction.Delay)
            {
                return fault.Rule;
            }

            // What comes late may still meet with something else.
            await WaitAsync(fault.Rule.Duration, cancellationToken);
        }

        return null;
    }

    /// <summary>Writes that a fault struck. For one that strikes more than the target that it was met with.</summary>
    public void Record(FaultRule rule, FaultPoint point, FaultTarget target) =>
        journal?.Write(new FaultInjected(rule.Name, NameOf(point), NameOf(rule.Action), target.ToString()));

    // Nothing is armed on the quiet one, so nobody waits.
    private sealed class NoDeadlines : IDeadlines
    {
        public TimeProvider Clock => TimeProvider.System;

        public TimeSpan Wake => TimeSpan.Zero;

        public ValueTask UntilAsync(long timestamp, CancellationToken cancellationToken) => ValueTask.CompletedTask;
    }
}
