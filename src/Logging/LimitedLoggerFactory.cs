using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Logging;

/// <summary>
/// Creates loggers that limit repeated lines. Lines with one category, event id and subject are repetitions. The subject is the first value of the message.
/// The first line is written immediately. At the end of the period the newest one is written, with the number of lines that were left out. Lines below
/// <see cref="LogLevel.Information"/> are always written.
/// </summary>
public sealed class LimitedLoggerFactory : ILoggerFactory
{
    /// <summary>The default period: 10 s.</summary>
    public static readonly TimeSpan DefaultPeriod = TimeSpan.FromSeconds(10);

    private readonly ILoggerFactory inner;
    private readonly RepeatLimit limit;

    /// <param name="inner">Creates the loggers that write. It still belongs to the caller.</param>
    /// <param name="timeProvider">The clock of the period.</param>
    /// <param name="period">How long repetitions of a line are suppressed.</param>
    public LimitedLoggerFactory(ILoggerFactory inner, TimeProvider timeProvider, TimeSpan period)
    {
        this.inner = inner;
        limit = new RepeatLimit(timeProvider, period);
    }

    /// <summary>A factory whose loggers are limited. A factory of this type is returned unchanged, so that nothing is counted twice.</summary>
    /// <param name="factory">Creates the loggers that write. Null writes nothing.</param>
    /// <param name="timeProvider">The clock of the period.</param>
    public static ILoggerFactory Over(ILoggerFactory? factory, TimeProvider timeProvider) =>
        factory switch
        {
            null => NullLoggerFactory.Instance,
            NullLoggerFactory or LimitedLoggerFactory => factory,
            _ => new LimitedLoggerFactory(factory, timeProvider, DefaultPeriod),
        };

    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName) => new LimitedLogger(categoryName, inner.CreateLogger(categoryName), limit);

    /// <inheritdoc/>
    public void AddProvider(ILoggerProvider provider) => inner.AddProvider(provider);

    /// <summary>Writes suppressed lines. Later lines are not limited.</summary>
    public void Dispose() => limit.Dispose();
}
