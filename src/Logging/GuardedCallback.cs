using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Logging;

/// <summary>Calls the caller's callbacks that only receive a report: what such a callback throws is logged and not thrown.</summary>
public static class GuardedCallback
{
    /// <summary>Wraps a callback with the guard. Null for none.</summary>
    /// <param name="callback">The caller's code.</param>
    /// <param name="name">The name of the option that holds it, for the log.</param>
    /// <param name="log">Logs what it throws.</param>
    public static Action<T>? Of<T>(Action<T>? callback, string name, ILogger log) =>
        callback is null ? null : argument => Run(() => callback(argument), name, log);

    /// <summary>Makes one guarded call.</summary>
    /// <inheritdoc cref="Of"/>
    public static void Run(Action callback, string name, ILogger log)
    {
        ArgumentNullException.ThrowIfNull(callback);
        try
        {
            callback();
        }
        catch (Exception exception)
        {
            Report(exception, name, log);
        }
    }

    /// <summary>Logs what a callback has thrown.</summary>
    /// <param name="exception">The exception.</param>
    /// <param name="name">The name of the option that holds it, or of its type.</param>
    /// <param name="log">Logs the exception.</param>
    public static void Report(Exception exception, string name, ILogger log) => Log.CallbackFailed(log, name, exception);
}
