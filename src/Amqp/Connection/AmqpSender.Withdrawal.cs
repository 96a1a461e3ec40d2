namespace EventHubThroughput.Amqp;

/// <content>Messages that are given up before they have gone.</content>
public sealed partial class AmqpSender
{
    /// <summary>Ends the wait of messages that have found neither credit nor window within the operation's time-out.</summary>
    internal void FailLate()
    {
        var connection = Session.Connection;
        SendOperation? next;
        for (var operation = _waiting.First; operation is not null; operation = next)
        {
            next = operation.Next;
            if (
                operation.Delivery.SettlesItself
                && !operation.Aborted
                && connection.Settings.TimeProvider.GetElapsedTime(operation.Delivery.Started) >= connection.Settings.OperationTimeout
            )
            {
                // What goes out in place of a half sent message may let others go out, next one included.
                var started = operation.Started;
                GiveUp(operation);
                operation.Fail(connection.TimedOut($"credit or window on '{Name}'"));
                next = started ? _waiting.First : next;
            }
        }
    }

    /// <summary>Ends the wait for a message: one that waits leaves the queue, one that is half sent is aborted on the wire.</summary>
    internal void Withdraw(SendOperation operation, CancellationToken cancellationToken)
    {
        lock (Gate)
        {
            if (operation.IsWaiting)
            {
                GiveUp(operation);
            }
            else
            {
                // It has gone, and its outcome is still to come.
                operation.Share();
            }

            operation.Fail(new OperationCanceledException(cancellationToken));
        }
    }

    // What is half sent stays in its place until the window lets the peer be told to drop it. The caller's bytes are free at once.
    private void GiveUp(SendOperation operation)
    {
        if (operation.Started)
        {
            operation.Share();
            operation.Aborted = true;
            operation.Rest = default;
            Pump();
        }
        else
        {
            Remove(operation);
        }
    }
}
