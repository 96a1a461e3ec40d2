namespace EventHubThroughput.Clients.Azure.Lifetime;

/// <summary>
/// Closes what the packages created. Some of it asks the service first, for the time of one try, and throws when there is no answer. That is not a failure of
/// earlier operations, and must not prevent the rest from being closed.
/// </summary>
internal static class Closing
{
    public static async ValueTask EndAsync(Func<ValueTask> close)
    {
        try
        {
            await close().ConfigureAwait(false);
        }
        catch (Exception)
        {
            // Every operation has reported its result to its caller, so this failure has no receiver.
        }
    }
}
