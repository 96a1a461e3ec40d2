using Azure.Messaging.EventHubs;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>Our rule of retries in the package's words: nothing is left to its defaults, which would wait 60 s for an answer.</summary>
internal static class EventHubRetry
{
    public static EventHubsRetryOptions Of(RetryOptions retry) =>
        new()
        {
            Mode = EventHubsRetryMode.Exponential,
            MaximumRetries = retry.MaximumRetries,
            Delay = retry.FirstDelay,
            MaximumDelay = retry.MaximumDelay,
            TryTimeout = retry.TryTimeout,
        };
}
