namespace EventHubThroughput.Consumer.Measurement;

/// <summary>What else than the strategy may have held a rate; one that the emulator or the input held is told and never ranked.</summary>
internal enum RateBound
{
    /// <summary>Nothing that is known.</summary>
    None,

    /// <summary>The emulator: it had no latency to wait for, was near its ceiling, or nearly filled a core.</summary>
    Emulator,

    /// <summary>The input: batches were not full although events waited.</summary>
    Input,

    /// <summary>The consumer's own processors.</summary>
    Cpu,
}

/// <summary>Tells what bound a run, by the limits of docs/method.md.</summary>
internal static class RateBounds
{
    private const double EmulatorShareOfItsCore = 0.7;
    private const double ConsumerShareOfItsCores = 0.9;
    private const double ShareOfTheCeiling = 1.0 / 3;

    /// <param name="figures">What was measured.</param>
    /// <param name="withoutLatency">Whether the emulator answered at once.</param>
    /// <param name="ceiling">The emulator's own rate on this machine; null where nobody measured it.</param>
    /// <param name="fullBatches">Whether the batches were as full as the strategy was promised.</param>
    /// <param name="cores">The processors that the consumer may use.</param>
    public static RateBound Of(RunFigures figures, bool withoutLatency, double? ceiling, bool fullBatches, int cores)
    {
        if (figures.EventsPerSecond is null)
        {
            return RateBound.None;
        }

        if (withoutLatency || figures.EventsPerSecond > ShareOfTheCeiling * ceiling || CoresOf(figures.EmulatorCpu, figures) > EmulatorShareOfItsCore)
        {
            return RateBound.Emulator;
        }

        if (!fullBatches)
        {
            return RateBound.Input;
        }

        return CoresOf(figures.ConsumerCpu, figures) > ConsumerShareOfItsCores * cores ? RateBound.Cpu : RateBound.None;
    }

    private static double? CoresOf(TimeSpan? used, RunFigures figures) => figures.Measured > TimeSpan.Zero ? used / figures.Measured : null;
}
