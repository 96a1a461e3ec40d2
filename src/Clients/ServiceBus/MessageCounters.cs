namespace EventHubThroughput.Clients.ServiceBus;

/// <summary>Counts the outcomes of a processor's messages. May be used concurrently.</summary>
internal sealed class MessageCounters
{
    private readonly Lock gate = new();
    private MessageProcessorCounts counts;

    public MessageProcessorCounts Counts
    {
        get
        {
            lock (gate)
            {
                return counts;
            }
        }
    }

    public void Begin()
    {
        lock (gate)
        {
            var handling = counts.Handling + 1;
            counts = counts with { Handling = handling, MostHandling = Math.Max(counts.MostHandling, handling) };
        }
    }

    public void End()
    {
        lock (gate)
        {
            counts = counts with { Handling = counts.Handling - 1 };
        }
    }

    public void Settle(MessageOutcome outcome)
    {
        lock (gate)
        {
            counts = outcome switch
            {
                MessageOutcome.Complete => counts with { Completed = counts.Completed + 1 },
                MessageOutcome.Abandon => counts with { Abandoned = counts.Abandoned + 1 },
                MessageOutcome.Defer => counts with { Deferred = counts.Deferred + 1 },
                MessageOutcome.DeadLetter => counts with { DeadLettered = counts.DeadLettered + 1 },
                _ => counts with { SettledByHandler = counts.SettledByHandler + 1 },
            };
        }
    }

    public void LoseLock()
    {
        lock (gate)
        {
            counts = counts with { Unsettled = counts.Unsettled + 1, LocksLost = counts.LocksLost + 1 };
        }
    }

    public void LeaveUnsettled()
    {
        lock (gate)
        {
            counts = counts with { Unsettled = counts.Unsettled + 1 };
        }
    }

    public void FailHandler()
    {
        lock (gate)
        {
            counts = counts with { HandlerFailures = counts.HandlerFailures + 1 };
        }
    }
}
