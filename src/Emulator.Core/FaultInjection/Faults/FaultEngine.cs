using System.Text.Json;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>
/// The armed faults. Endpoints ask it before each operation. If none is armed, that costs one read of a field. A fault is in the journal before it takes
/// effect. If the record cannot be written, the operation is refused.
/// </summary>
internal sealed class FaultEngine(JournalWriter? journal, IDeadlines deadlines, int seed)
{
    private readonly Lock _gate = new();

    // Replaced as a whole under the gate, read without it.
    private volatile ArmedFault[] _armed = [];

    // Guarded by the gate: the number of rules armed so far, by name.
    private readonly Dictionary<string, int> _armedBefore = new(StringComparer.Ordinal);
    private int _lastNumber;

    public static FaultEngine Quiet { get; } = new(null, new NoDeadlines(), 0);

    /// <summary>Called after faults have been armed. Must not block.</summary>
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

    /// <summary>Disarms faults with a name or number, or all. Returns their number.</summary>
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
    /// Returns the fault of an operation, or null. Delays have ended when it completes. The caller carries out any other action, at most one.
    /// </summary>
    public ValueTask<FaultRule?> TryInjectAsync(FaultPoint point, FaultTarget target, CancellationToken cancellationToken) =>
        HasNoFaults ? default : InjectArmedAsync(point, target, cancellationToken);

    public Task WaitAsync(TimeSpan duration, CancellationToken cancellationToken) =>
        deadlines.UntilAsync(deadlines.Clock.GetTimestamp() + (long)(duration.TotalSeconds * deadlines.Clock.TimestampFrequency), cancellationToken).AsTask();

    /// <summary>The current error of the blob clock.</summary>
    public TimeSpan Skew()
    {
        var skew = TimeSpan.Zero;
        foreach (var fault in _armed)
        {
            if (fault.Rule.Action == FaultAction.Skew && fault.IsInForce)
            {
                // Recorded once, and valid as long as the rule is in force. A clock cannot refuse, so it stays right until the record is written.
                try
                {
                    fault.StrikeOnce(rule => Record(rule, FaultPoint.StorageClock, new FaultTarget(FaultTarget.Blobs)));
                    skew += TimeSpan.FromSeconds(fault.Rule.SkewSeconds);
                }
                catch (IOException)
                {
                    // The operation that reads the clock is refused when its record cannot be written.
                }
            }
        }

        return skew;
    }

    public static string GetName<T>(T value)
        where T : struct, Enum => JsonNamingPolicy.CamelCase.ConvertName(value.ToString());

    private int Turn(string name)
    {
        var turn = _armedBefore.GetValueOrDefault(name);
        _armedBefore[name] = turn + 1;
        return turn;
    }

    private async ValueTask<FaultRule?> InjectArmedAsync(FaultPoint point, FaultTarget target, CancellationToken cancellationToken)
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

            // A delayed operation may still meet another fault.
            await WaitAsync(fault.Rule.Duration, cancellationToken);
        }

        return null;
    }

    /// <summary>Records a strike. For a fault that also affects other targets.</summary>
    public void Record(FaultRule rule, FaultPoint point, FaultTarget target) =>
        journal?.Write(new FaultInjected(rule.Name, GetName(point), GetName(rule.Action), target.ToString()));

    // The quiet engine has no faults, so it never waits.
    private sealed class NoDeadlines : IDeadlines
    {
        public TimeProvider Clock => TimeProvider.System;

        public TimeSpan Wake => TimeSpan.Zero;

        public ValueTask UntilAsync(long timestamp, CancellationToken cancellationToken) => ValueTask.CompletedTask;
    }
}
