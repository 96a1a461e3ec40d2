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
                // What is sent in place of a half-sent message may let other messages out, the next one of this link included.
                var started = operation.Started;
                GiveUp(operation);
                operation.Fail(connection.TimedOut($"credit or window on '{Name}'"));
                next = started ? _waiting.First : next;
            }
        }
    }

    /// <summary>Ends the wait for a message. A waiting message leaves the queue. A half-sent one is aborted on the wire.</summary>
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
                // It was sent, and its outcome is still to come.
                operation.Share();
            }

            operation.Fail(new OperationCanceledException(cancellationToken));
        }
    }

    // A half-sent message keeps its place until the window allows the frame that aborts it. The caller's bytes are free immediately.
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
