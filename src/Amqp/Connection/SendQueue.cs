namespace EventHubThroughput.Amqp;

/// <summary>
/// The waiting messages of a link, in the order of their calls: a linked list of the operations themselves. Guarded by the connection's lock.
/// </summary>
internal sealed class SendQueue
{
    public SendOperation? First { get; private set; }

    public int Count { get; private set; }

    private SendOperation? Last { get; set; }

    public void Add(SendOperation operation)
    {
        operation.IsWaiting = true;
        operation.Previous = Last;
        if (Last is null)
        {
            First = operation;
        }
        else
        {
            Last.Next = operation;
        }

        Last = operation;
        Count++;
    }

    public void Remove(SendOperation operation)
    {
        if (operation.Previous is null)
        {
            First = operation.Next;
        }
        else
        {
            operation.Previous.Next = operation.Next;
        }

        if (operation.Next is null)
        {
            Last = operation.Previous;
        }
        else
        {
            operation.Next.Previous = operation.Previous;
        }

        (operation.Previous, operation.Next) = (null, null);
        operation.IsWaiting = false;
        Count--;
    }
}
