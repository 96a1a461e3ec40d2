using EventHubThroughput.Clients;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Sender.Sending;

/// <summary>What the end of a send says of its events.</summary>
internal static class Outcomes
{
    // Refusals are answers. Whatever else ends a send leaves open whether it was stored.
    public static SendOutcome Of(Exception? exception) =>
        exception switch
        {
            null => SendOutcome.Acked,
            MessagingException
            {
                Kind: FailureKind.NotFound
                    or FailureKind.Unauthorized
                    or FailureKind.Unavailable
                    or FailureKind.TooLarge
                    or FailureKind.Throttled
                    or FailureKind.Permanent,
            } => SendOutcome.Failed,
            _ => SendOutcome.Unknown,
        };
}
