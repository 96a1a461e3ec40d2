namespace EventHubThroughput.Lab.Measurement;

/// <summary>What other than the strategy may have limited a rate. A rate that the emulator or the input limited is reported and never ranked.</summary>
internal enum RateBound
{
    /// <summary>No known bound.</summary>
    None,

    /// <summary>The emulator: it had no latency to wait for, was near its ceiling, or it and the consumer had nearly filled the processors they share.</summary>
    Emulator,

    /// <summary>The input: events came more slowly than the strategy would have taken them.</summary>
    Input,

    /// <summary>The consumer's own processors.</summary>
    Cpu,
}

/// <summary>Returns what bound a run, by the limits of docs/method.md.</summary>
internal static class RateBounds
{
    // From this number on the system can give the emulator a separate core, beside those of the consumer.
    private const int CoresForEach = 4;
    private const double EmulatorShareOfItsCore = 0.7;
    private const double ShareOfAllCores = 0.9;
    private const double ConsumerShareOfItsCores = 0.9;
    private const double ShareOfTheCeiling = 1.0 / 3;

    /// <param name="figures">What was measured.</param>
    /// <param name="withoutLatency">Whether the emulator answered without latency.</param>
    /// <param name="ceiling">The emulator's own rate on this machine. Null where it was not measured.</param>
    /// <param name="fed">Whether events came as fast as the strategy takes them.</param>
    /// <param name="cores">The processors that both programs share.</param>
    public static RateBound Of(RunFigures figures, bool withoutLatency, double? ceiling, bool fed, int cores)
    {
        if (figures.EventsPerSecond is null)
        {
            return RateBound.None;
        }

        if (withoutLatency || figures.EventsPerSecond > ShareOfTheCeiling * ceiling || EmulatorIsFull(figures, cores))
        {
            return RateBound.Emulator;
        }

        if (!fed)
        {
            return RateBound.Input;
        }

        return ConsumerIsFull(figures, cores) ? RateBound.Cpu : RateBound.None;
    }

    private static bool EmulatorIsFull(RunFigures figures, int cores) =>
        cores >= CoresForEach
            ? GetCores(figures.EmulatorCpu, figures) > EmulatorShareOfItsCore
            : GetCores(figures.EmulatorCpu + figures.ConsumerCpu, figures) > ShareOfAllCores * cores && !ConsumerIsFull(figures, cores);

    private static bool ConsumerIsFull(RunFigures figures, int cores) => GetCores(figures.ConsumerCpu, figures) > ConsumerShareOfItsCores * cores;

    private static double? GetCores(TimeSpan? used, RunFigures figures) => figures.Measured > TimeSpan.Zero ? used / figures.Measured : null;
}
