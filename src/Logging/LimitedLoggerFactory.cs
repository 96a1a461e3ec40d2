using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace EventHubThroughput.Logging;

/// <summary>
/// Makes loggers that do not repeat themselves. Of the lines with one category and event id that are about the same subject, which is the
/// first value of the message, the first is written at once and the newest at the end of the period, with the number of those between that
/// were left out. Lines below <see cref="LogLevel.Information"/> are never held back: whoever asks for them wants all.
/// </summary>
public sealed class LimitedLoggerFactory : ILoggerFactory
{
    /// <summary>The period unless another is given: 10 s.</summary>
    public static readonly TimeSpan DefaultPeriod = TimeSpan.FromSeconds(10);

    private readonly ILoggerFactory inner;
    private readonly RepeatLimit limit;

    /// <param name="inner">Makes the loggers that write. Stays its owner's.</param>
    /// <param name="timeProvider">The clock of the period.</param>
    /// <param name="period">How long a line keeps its repetitions back.</param>
    public LimitedLoggerFactory(ILoggerFactory inner, TimeProvider timeProvider, TimeSpan period)
    {
        this.inner = inner;
        limit = new RepeatLimit(timeProvider, period);
    }

    /// <summary>A factory whose loggers are limited: the given one if it is such a factory already, so that nothing is counted twice.</summary>
    /// <param name="factory">Makes the loggers that write. Null writes nothing.</param>
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

    /// <summary>Writes what is held back. Later lines are written as they come.</summary>
    public void Dispose() => limit.Dispose();
}
