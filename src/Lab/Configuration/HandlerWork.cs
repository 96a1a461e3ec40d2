using EventHubThroughput.Processing;

namespace EventHubThroughput.Lab.Configuration;

/// <summary>
/// What a handler does beside its writes: it computes, or blocks its thread while it waits. Each is a sink before the others, with a separate row among the
/// stages. There, strategies that overlap waiting gain nothing.
/// </summary>
/// <param name="Cpu">What it computes for each event, in the time that a processor takes which runs nothing else.</param>
/// <param name="Block">How long it holds its thread for each event without computing. Whole milliseconds.</param>
internal readonly record struct HandlerWork(TimeSpan Cpu, TimeSpan Block)
{
    /// <summary>The name of the sink.</summary>
    public const string SinkName = "work";

    /// <summary>The sinks of a run with this work: its own first, if it has any.</summary>
    /// <param name="sinks">The others.</param>
    /// <param name="clock">The clock by which the speed of this machine is measured.</param>
    public IReadOnlyList<SinkDescriptor> Before(IReadOnlyList<SinkDescriptor> sinks, TimeProvider clock)
    {
        if (this == default)
        {
            return sinks;
        }

        var work = this;
        var computation = Cpu > TimeSpan.Zero ? Computation.Calibrated(clock) : null;
        return
        [
            SinkDescriptor.Of(
                (_, cancellationToken) =>
                {
                    work.Do(computation, cancellationToken);
                    return ValueTask.CompletedTask;
                },
                SinkName
            ),
            .. sinks,
        ];
    }

    /// <summary>Holds the thread for <see cref="Block"/>, as a synchronous call does. Not longer than the write may last.</summary>
    public void BlockThread(CancellationToken cancellationToken)
    {
        if (Block > TimeSpan.Zero && cancellationToken.WaitHandle.WaitOne(Block))
        {
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    private void Do(Computation? computation, CancellationToken cancellationToken)
    {
        _ = computation?.Run(Cpu);
        BlockThread(cancellationToken);
    }
}
