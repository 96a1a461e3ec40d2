namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>
/// An armed rule. Whether it strikes at its n-th match depends only on the rule, its seed and n. An operation that an earlier rule has struck does not count as
/// a match. Safe for several threads.
/// </summary>
/// <param name="rule">The rule.</param>
/// <param name="number">The number by which it is disarmed.</param>
/// <param name="turn">The number of earlier rules with this name. Rules that share a name draw different random numbers.</param>
/// <param name="seed">The seed of its random numbers.</param>
/// <param name="clock">Measures the times between which it is in force.</param>
internal sealed class ArmedFault(FaultRule rule, int number, int turn, int seed, TimeProvider clock)
{
    private readonly Lock _gate = new();
    private readonly long _armedAt = clock.GetTimestamp();

    // Guarded by the gate.
    private long _matched;
    private long _struck;
    private string? _chosen;
    private volatile bool _hasStruckOnce;

    public FaultRule Rule { get; } = rule;

    /// <summary>The number by which it is disarmed.</summary>
    public int Number { get; } = number;

    public (long Matched, long Struck) Counts
    {
        get
        {
            lock (_gate)
            {
                return (_matched, _struck);
            }
        }
    }

    public bool IsInForce
    {
        get
        {
            var seconds = clock.GetElapsedTime(_armedAt).TotalSeconds;
            return seconds >= Rule.FromSeconds && seconds < Rule.ToSeconds;
        }
    }

    public bool TryStrike(FaultPoint point, in FaultTarget target)
    {
        if (!Rule.Strikes(point, target) || !IsInForce)
        {
            return false;
        }

        lock (_gate)
        {
            if (_chosen is { } chosen)
            {
                var holds = target.Holds(chosen);
                _struck += holds ? 1 : 0;
                return holds;
            }

            // Each message of a batch is a separate match. If one is struck, the whole batch is.
            var first = _matched + 1;
            _matched += target.Batch?.Count ?? 1;
            if ((Rule.Limit > 0 && _struck >= Rule.Limit) || FirstStruck(first, _matched) is not { } struck)
            {
                return false;
            }

            _struck++;
            _chosen =
                !Rule.StaysWithDetail ? null
                : target.Batch is { } batch ? batch[(int)(struck - first)]
                : target.Detail;
            return true;
        }
    }

    private long? FirstStruck(long first, long last)
    {
        for (var match = first; match <= last; match++)
        {
            if ((Rule.Nth == 0 || match == Rule.Nth) && (Rule.Every == 0 || match % Rule.Every == 0) && Draw(match) < Rule.Probability)
            {
                return match;
            }
        }

        return null;
    }

    /// <summary>Counts a lasting state as one strike. Concurrent callers wait until <paramref name="record"/> has returned.</summary>
    public void StrikeOnce(Action<FaultRule> record)
    {
        if (_hasStruckOnce)
        {
            return;
        }

        lock (_gate)
        {
            if (!_hasStruckOnce)
            {
                record(Rule);
                _matched = _struck = 1;
                _hasStruckOnce = true;
            }
        }
    }

    // The n-th value of the rule's sequence, by the finaliser of SplitMix64 (Steele, Lea and Flood 2014). It needs no shared state.
    private double Draw(long n)
    {
        var mixed = 14_695_981_039_346_656_037;
        foreach (var letter in Rule.Name)
        {
            mixed = (mixed ^ letter) * 1_099_511_628_211;
        }

        mixed ^= (ulong)turn << 48;
        mixed += unchecked(((ulong)seed << 32) + ((ulong)n * 0x9E37_79B9_7F4A_7C15));
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58_476D_1CE4_E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D0_49BB_1331_11EB;
        return ((mixed ^ (mixed >> 31)) >> 11) * (1.0 / (1UL << 53));
    }
}
