namespace EventHubThroughput.Clients.EventHubs;

/// <summary>A batch with the callbacks for the outcomes of its events. Not for concurrent use, except for waiting.</summary>
internal sealed class BufferedBatch(OutgoingEventBatch events)
{
    private readonly List<Action<MessagingException?>> settled = [];
    private readonly TaskCompletionSource completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public OutgoingEventBatch Events => events;

    /// <summary>Completes after every event's outcome was reported. Cancelled when the writer has ended before.</summary>
    public Task Completion => completion.Task;

    /// <summary>Adds the callback for the event that was added last.</summary>
    public void Expect(Action<MessagingException?> outcome) => settled.Add(outcome);

    /// <summary>Reports the outcome of the batch to every callback.</summary>
    /// <param name="failure">Null when the service has stored it.</param>
    /// <param name="refused">Receives what a callback has thrown, which it must not.</param>
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
                // The other callbacks are called nevertheless.
                refused(exception);
            }
        }

        completion.TrySetResult();
    }

    /// <summary>No outcome will be reported.</summary>
    public void Abandon() => completion.TrySetCanceled();
}
