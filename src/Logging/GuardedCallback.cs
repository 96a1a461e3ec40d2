using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Logging;

/// <summary>
/// The one way into callbacks of the caller that are told something and decide nothing: what such a callback throws is logged and goes no further.
/// </summary>
public static class GuardedCallback
{
    /// <summary>The same callback, behind the guard. Null for none.</summary>
    /// <param name="callback">The caller's code.</param>
    /// <param name="name">The name of the option that holds it, for the log.</param>
    /// <param name="log">Where what it throws is logged.</param>
    public static Action<T>? Of<T>(Action<T>? callback, string name, ILogger log) => callback is null ? null : told => Run(() => callback(told), name, log);

    /// <summary>Makes one call.</summary>
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
    /// <param name="exception">What it was.</param>
    /// <param name="name">The name of the option that holds it, or of its type.</param>
    /// <param name="log">Where it is logged.</param>
    public static void Report(Exception exception, string name, ILogger log) => Log.CallbackFailed(log, name, exception);
}
