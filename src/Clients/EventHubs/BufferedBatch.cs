namespace EventHubThroughput.Clients.EventHubs;

/// <summary>A batch beside those who want to know what became of its events. Not for concurrent use, but for waiting.</summary>
internal sealed class BufferedBatch(OutgoingEventBatch events)
{
    private readonly List<Action<MessagingException?>> settled = [];
    private readonly TaskCompletionSource completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public OutgoingEventBatch Events => events;

    /// <summary>Completes once every event's outcome was told. Cancelled when the writer has ended before.</summary>
    public Task Completion => completion.Task;

    /// <summary>Who is told what becomes of the event that was added last.</summary>
    public void Expect(Action<MessagingException?> outcome) => settled.Add(outcome);

    /// <summary>Tells everybody what became of the batch.</summary>
    /// <param name="failure">Null when the service has stored it.</param>
    /// <param name="refused">Called with what one of them has thrown, which it must not.</param>
    public void Settle(MessagingException? failure, Action<Exception> refused)
    {
        foreach (var outcome in settled)
        {
            try
            {
                outcome(failure);
            }
            catch (Exception exception)
            {
                // The others are to know all the same.
                refused(exception);
            }
        }

        completion.TrySetResult();
    }

    /// <summary>Nobody will be told.</summary>
    public void Abandon() => completion.TrySetCanceled();
}
