using EventHubThroughput.Clients;
using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Journal;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>Peeks every message of a queue or subscription, in the order in which the entity numbered them.</summary>
internal sealed class QueueReading(
    IMessagingClients clients,
    MessagingSettings settings,
    string? subscription,
    string? run,
    RetainedNames names,
    JournalWriter journal
)
{
    private const int Page = 250;

    /// <summary>Returns how many messages concern the hub.</summary>
    public async Task<long> RunAsync(CancellationToken cancellationToken)
    {
        var entity = subscription is null ? settings.MessageEntity! : $"{settings.MessageEntity}/Subscriptions/{subscription}";
        await using var receiver = clients.CreateMessageReceiver(entity, new MessageReceiverOptions());
        long count = 0;
        for (long next = 0; await receiver.PeekAsync(next, Page, cancellationToken) is { Count: > 0 } messages; )
        {
            next = messages[^1].SequenceNumber + 1;
            JournalRecord[] records = [.. messages.Select(GetRecord).Where(IsOurs)];
            if (records.Length > 0)
            {
                journal.Write(records);
                count += records.Length;
            }
        }

        return count;
    }

    private MessageWritten GetRecord(ReceivedMessage message) =>
        new(
            WriteMoment.Stored,
            settings.MessageEntity!,
            message.MessageId,
            EventStamp.Hash(message.Body.Span),
            message.Body.Length,
            message.ContentType,
            HubReading.ComputeHash(message.EncodedProperties),
            HubReading.GetStamp(message.EncodedProperties),
            Deduplicated: false
        );

    // By name or by stamp. The queue may serve other hubs, whose events this run has not read.
    private bool IsOurs(MessageWritten message) =>
        names.OfMessage(message.MessageId) switch
        {
            NameStanding.Retained => true,
            NameStanding.Trimmed => false,
            _ => run is not null && message.Properties?[EventStamp.RunProperty] == run,
        };
}
