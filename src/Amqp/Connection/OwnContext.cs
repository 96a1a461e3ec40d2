namespace EventHubThroughput.Amqp;

/// <summary>
/// Starts work that outlives its caller, without the caller's execution context. The caller's activity and async-local values belong to one operation, not to
/// the loops and timers of a connection.
/// </summary>
internal static class OwnContext
{
    public static T Start<T>(Func<T> start)
    {
        if (ExecutionContext.IsFlowSuppressed())
        {
            return start();
        }

        using (ExecutionContext.SuppressFlow())
        {
            return start();
        }
    }
}
