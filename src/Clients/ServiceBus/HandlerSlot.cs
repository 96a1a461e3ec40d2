namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>One of the places of a processor, for one message after another.</summary>
internal sealed class HandlerSlot
{
    // Each message has one of its own: a lock that is lost just as its message is through must not end the next one's handler. None has a timer, so
    // nothing is left behind by one that is not disposed.
    private volatile CancellationTokenSource? handling;

    /// <summary>The message that is here now, or was last.</summary>
    public Task Running { get; set; } = Task.CompletedTask;

    /// <summary>Takes the next message.</summary>
    public CancellationTokenSource Begin() => handling = new CancellationTokenSource();

    /// <summary>Tells the handler to end. Nothing happens when there is none.</summary>
    public void Cancel() => handling?.Cancel();
}
