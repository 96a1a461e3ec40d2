namespace EventHubThroughput.Clients.Azure.Lifetime;

/// <summary>
/// Closes what the packages made. Some of it asks the service first, for the time of one try, and throws when there is no answer: that
/// is no failure of what was done before, and must not keep the rest from being closed.
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
            // Every operation has told its caller how it ended. Nobody is left to be told more.
        }
    }
}
