using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Clients.Azure.Logs;

/// <summary>
/// Writes the trace events of the packages to loggers. They are traced for the whole process. So clients with the same factory share one listener, and each
/// line is written once.
/// </summary>
internal sealed class PackageLog : IDisposable
{
    private static readonly Lock Gate = new();

    // Used under the gate.
    private static readonly Dictionary<ILoggerFactory, PackageListener> Listeners = new(ReferenceEqualityComparer.Instance);
    private readonly ILoggerFactory factory;
    private bool isDisposed;

    private PackageLog(ILoggerFactory factory) => this.factory = factory;

    /// <summary>Begins to write. Null if no level that the packages use is enabled, because tracing costs them time.</summary>
    /// <param name="factory">Creates the loggers. Repeated lines are limited.</param>
    /// <param name="timeProvider">The clock of that limit.</param>
    public static PackageLog? To(ILoggerFactory? factory, TimeProvider timeProvider)
    {
        if (factory is null || PackageListener.GetLevel(factory.CreateLogger("Azure")) is not { } level)
        {
            return null;
        }

        lock (Gate)
        {
            if (!Listeners.TryGetValue(factory, out var listener))
            {
                Listeners[factory] = listener = new PackageListener(factory, level, timeProvider);
            }

            listener.Users++;
        }

        return new PackageLog(factory);
    }

    /// <summary>Stops writing when all clients that share the factory have called it. May be called again.</summary>
    public void Dispose()
    {
        lock (Gate)
        {
            if (isDisposed)
            {
                return;
            }

            isDisposed = true;
            var listener = Listeners[factory];
            if (--listener.Users == 0)
            {
                Listeners.Remove(factory);
                listener.Dispose();
            }
        }
    }
}
