using Azure.Messaging.EventHubs;

namespace EventHubThroughput.Clients.Azure.EventHubs;

/// <summary>Our retry policy as options of the package. All are set, because its defaults would wait 60 s for an answer.</summary>
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
