namespace EventHubThroughput.Settings;

/// <summary>The exit codes of the three programs. Only this class maps a failure to its code.</summary>
public static class ExitCode
{
    public const int Done = 0;
    public const int Usage = 2;
    public const int VerificationFailed = 3;
    public const int Dependency = 4;
    public const int ResultsUnwritable = 5;
    public const int PortInUse = 6;
    public const int Poison = 7;
    public const int DrainLimit = 8;
    public const int InvariantBreached = 9;
    public const int DeadLettersLeft = 10;
    public const int GateFailed = 11;
    public const int GateUndecided = 12;
    public const int Interrupted = 130;
    public const int HungUp = 129;
    public const int Terminated = 143;

    // When several apply, the first of these is returned.
    private static readonly int[] Precedence =
    [
        VerificationFailed,
        InvariantBreached,
        Dependency,
        Poison,
        DrainLimit,
        DeadLettersLeft,
        ResultsUnwritable,
        GateFailed,
        GateUndecided,
    ];

    /// <summary>The code of a failure.</summary>
    public static int Of(FailureCause cause) =>
        cause switch
        {
            FailureCause.Input => Usage,
            FailureCause.Dependency => Dependency,
            FailureCause.Verification => VerificationFailed,
            FailureCause.NotWritable => ResultsUnwritable,
            FailureCause.PortInUse => PortInUse,
            _ => Interrupted,
        };

    /// <summary>The code to end with when all of these apply.</summary>
    public static int Worst(IEnumerable<int> codes)
    {
        var all = codes.Where(code => code != Done).ToHashSet();
        foreach (var code in Precedence)
        {
            if (all.Contains(code))
            {
                return code;
            }
        }

        return all.Count == 0 ? Done : all.Min();
    }
}
