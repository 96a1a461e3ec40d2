using EventHubThroughput.Clients.ServiceBus;
using EventHubThroughput.Journal;

namespace EventHubThroughput.Conviction.Tests.Recording;

/// <summary>A queue that takes every message and writes down each one, with the connection that brought it.</summary>
internal sealed class RecordedQueue(RecordedProcess process, string entity) : IMessageSender
{
    public ValueTask SendAsync(OutgoingMessage message, CancellationToken cancellationToken) => SendBatchAsync([message], cancellationToken);

    /// <remarks>All are stored or none, as the service does.</remarks>
    public async ValueTask SendBatchAsync(IReadOnlyList<OutgoingMessage> messages, CancellationToken cancellationToken)
    {
        await process.LivingAsync();
        var services = process.Services;
        var connection = process.Send();
        var records = messages.Select(message => GetRecord(message, connection)).ToList();
        records.ForEach(services.Write);
        var arriving = messages.Select(message => process.ArriveAsync(Place.Queue, message.MessageId, '-', cancellationToken)).ToList();
        var effects = await Task.WhenAll(arriving);
        await process.EnsureConnectedAsync(connection);
        records.ForEach(record => services.Write(record with { Moment = WriteMoment.Stored }));
        await process.AnswerAsync(Array.Find(effects, static effect => effect is Effect.AnswerLost or Effect.AnsweredLate), cancellationToken);
        await process.EnsureConnectedAsync(connection);
        records.ForEach(record => services.Write(record with { Moment = WriteMoment.Answered }));
        if (effects.Contains(Effect.AnswerCutOff))
        {
            process.Cut();
            await process.EnsureConnectedAsync(connection);
        }
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private MessageWritten GetRecord(OutgoingMessage message, string connection) =>
        new(
            WriteMoment.Begun,
            entity,
            message.MessageId,
            RecordedServices.Hash(message.Body.Span),
            message.Body.Length,
            message.ContentType,
            RecordedServices.Hash(message.EncodedProperties.Span),
            RecordedServices.GetProperties(message.EncodedProperties),
            false
        )
        {
            Connection = connection,
        };
}
