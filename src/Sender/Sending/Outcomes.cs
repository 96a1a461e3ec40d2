using EventHubThroughput.Clients;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Sender.Sending;

/// <summary>Maps the end of a send to the outcome of its events.</summary>
internal static class Outcomes
{
    // A refusal is an answer. After any other failure it is open whether the event was stored.
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
