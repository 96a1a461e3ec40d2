namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>The actions that are possible at each point. A rule that asks for any other is refused before it is armed.</summary>
internal static class FaultMatrix
{
    private static readonly FaultAction[] Requests = [FaultAction.Refuse, FaultAction.Drop, FaultAction.Delay, FaultAction.BlackHole, FaultAction.LoseAnswer];

    private static readonly FaultAction[] Sends = [.. Requests, FaultAction.Detach, FaultAction.Duplicate, FaultAction.NoCredit, FaultAction.Corrupt];

    public static IReadOnlyList<FaultAction> ActionsAt(FaultPoint point) =>
        point switch
        {
            FaultPoint.Connect => [FaultAction.Refuse, FaultAction.Drop, FaultAction.Delay, FaultAction.BlackHole, FaultAction.Slow],
            FaultPoint.Attach => [FaultAction.Refuse, FaultAction.Drop, FaultAction.Delay, FaultAction.BlackHole],
            FaultPoint.Token or FaultPoint.HubManagement or FaultPoint.QueueManagement => Requests,
            FaultPoint.EventSend or FaultPoint.MessageSend => Sends,
            FaultPoint.EventDeliver => [FaultAction.Drop, FaultAction.Detach, FaultAction.Delay, FaultAction.Duplicate, FaultAction.Corrupt, FaultAction.Steal],
            FaultPoint.MessageDeliver => [FaultAction.Drop, FaultAction.Detach, FaultAction.Delay, FaultAction.Corrupt],
            FaultPoint.Settle => [.. Requests, FaultAction.Detach],
            FaultPoint.BlobWrite => [.. Requests, FaultAction.Corrupt],
            // A checkpoint has no body.
            FaultPoint.CheckpointWrite => Requests,
            FaultPoint.OwnershipWrite => [.. Requests, FaultAction.Steal],
            FaultPoint.BlobRead => [FaultAction.Refuse, FaultAction.Drop, FaultAction.Delay, FaultAction.BlackHole, FaultAction.Corrupt],
            FaultPoint.CheckpointRead or FaultPoint.BlobList or FaultPoint.BlobDelete =>
            [
                FaultAction.Refuse,
                FaultAction.Drop,
                FaultAction.Delay,
                FaultAction.BlackHole,
            ],
            FaultPoint.IdleLink => [FaultAction.Detach],
            FaultPoint.StorageClock => [FaultAction.Skew],
            _ => [],
        };
}
