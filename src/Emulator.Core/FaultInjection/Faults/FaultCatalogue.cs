namespace EventHubThroughput.Emulator.FaultInjection.Faults;

/// <summary>The faults that have a name. F names refer to the fault matrix that every strategy must survive.</summary>
public static class FaultCatalogue
{
    private static readonly FaultPoint[] Management = [FaultPoint.HubManagement, FaultPoint.QueueManagement];
    private static readonly FaultPoint[] AllReads = [FaultPoint.BlobRead, FaultPoint.CheckpointRead, FaultPoint.BlobList];

    public static IReadOnlyList<KnownFault> All { get; } =
    [
        Known("F3", "no message is ever taken: sends get no answer", Rule(FaultPoint.MessageSend, FaultAction.BlackHole)),
        Known(
            "F6",
            "every 4th connection is reset after 4,096 bytes of answers",
            Rule(FaultPoint.Connect, FaultAction.Drop) with
            {
                Every = 4,
                AfterBytes = 4_096,
            }
        ),
        Known("F6-send", "one message in 100 cuts its connection before it is stored", Rule(FaultPoint.MessageSend, FaultAction.Drop) with { Every = 100 }),
        Known("F6-checkpoint", "every 10th checkpoint write cuts its connection", Rule(FaultPoint.CheckpointWrite, FaultAction.Drop) with { Every = 10 }),
        Known(
            "F7",
            "for 5 s new connections are accepted and not served",
            Rule(FaultPoint.Connect, FaultAction.BlackHole) with
            {
                Milliseconds = 5_000,
                ToSeconds = 5,
            }
        ),
        Known(
            "F7-long",
            "for 70 s no message and no upload is stored or answered",
            Rule(FaultPoint.MessageSend, FaultAction.BlackHole, FaultPoint.BlobWrite, FaultPoint.CheckpointWrite) with
            {
                Milliseconds = 70_000,
                ToSeconds = 70,
            }
        ),
        Known("F8", "readers are detached for an internal error every 1,000 events", Detached(FaultPoint.EventDeliver, "internal") with { Every = 1_000 }),
        Known("F8-send", "senders are detached for an internal error every 200 messages", Detached(FaultPoint.MessageSend, "internal") with { Every = 200 }),
        Known(
            "F8-idle",
            "links without a message for 10 s are detached, as the service does after 10 min",
            Detached(FaultPoint.IdleLink, "idle") with
            {
                Milliseconds = 10_000,
            }
        ),
        Known("F8-limit", "readers are detached for a limit every 1,000 events", Detached(FaultPoint.EventDeliver, "limit") with { Every = 1_000 }),
        Known(
            "F8-stolen",
            "the 500th event finds its partition taken by a higher owner level",
            Rule(FaultPoint.EventDeliver, FaultAction.Steal) with
            {
                Nth = 500,
            }
        ),
        Known("F8b", "links are refused: the entity does not exist", Refused("missing", FaultPoint.Attach)),
        Known("F8b-unauthorized", "links are refused: not authorized", Refused("unauthorized", FaultPoint.Attach)),
        Known("F9", "for 30 s senders get no credit", Rule(FaultPoint.MessageSend, FaultAction.NoCredit) with { Milliseconds = 30_000, Limit = 1 }),
        Known("F10-4", "one send in 10,000 meets a busy server", Refused("busy", FaultPoint.MessageSend) with { Probability = 1e-4 }),
        Known("F10-3", "one send in 1,000 meets a busy server", Refused("busy", FaultPoint.MessageSend) with { Probability = 1e-3 }),
        Known("F10-2", "one send in 100 meets a busy server", Refused("busy", FaultPoint.MessageSend) with { Probability = 1e-2 }),
        Known("F10-all", "for 5 s every send meets a busy server", Refused("busy", FaultPoint.MessageSend) with { ToSeconds = 5 }),
        Known(
            "F11",
            "one message in 100 is stored and never confirmed, and its connection is cut",
            Rule(FaultPoint.MessageSend, FaultAction.LoseAnswer) with
            {
                Every = 100,
                AndDrop = true,
            }
        ),
        Known(
            "F11-events",
            "one transfer of events in 100 is stored and never confirmed, and its connection is cut",
            Rule(FaultPoint.EventSend, FaultAction.LoseAnswer) with
            {
                Every = 100,
                AndDrop = true,
            }
        ),
        Known(
            "F11-settle",
            "one settlement in 100 is done and never confirmed",
            Rule(FaultPoint.Settle, FaultAction.LoseAnswer) with
            {
                Every = 100,
                AndDrop = true,
            }
        ),
        Known(
            "F12",
            "after 5 s queues and topics do not exist",
            Refused("missing", FaultPoint.MessageSend, FaultPoint.Attach) with
            {
                Service = FaultTarget.ServiceBus,
                FromSeconds = 5,
            }
        ),
        Known(
            "F12-disabled",
            "after 5 s queues and topics are disabled",
            Refused("disabled", FaultPoint.MessageSend, FaultPoint.Attach) with
            {
                Service = FaultTarget.ServiceBus,
                FromSeconds = 5,
            }
        ),
        Known("F12-full", "after 5 s queues are full", Refused("full", FaultPoint.MessageSend) with { FromSeconds = 5 }),
        Known("F12-claim", "after 5 s the token does not allow sending", Refused("unauthorized", FaultPoint.MessageSend) with { FromSeconds = 5 }),
        Known("F13", "one upload in 20 is answered 503 with Retry-After 1", Uploads("busy", 503) with { RetryAfterSeconds = 1 }),
        Known("F13-500", "one upload in 20 is answered 500", Uploads("internal", 500)),
        Known("F13-408", "one upload in 20 is answered 408", Uploads("timeout", 408)),
        Known("F13-429", "one upload in 20 is answered 429 without Retry-After", Uploads("too-many", 429)),
        Known("F14", "one upload in 50 is stored and never answered", Rule(FaultPoint.BlobWrite, FaultAction.LoseAnswer) with { Every = 50 }),
        Known("F16", "the container of uploads does not exist", Refused("missing", FaultPoint.BlobWrite)),
        Known("F16-forbidden", "uploads are not authorized", Refused("forbidden", FaultPoint.BlobWrite)),
        Known("F17", "one checkpoint write in ten fails", Refused("internal", FaultPoint.CheckpointWrite) with { Probability = 0.1 }),
        Known("F17-all", "for 60 s every checkpoint write fails", Refused("internal", FaultPoint.CheckpointWrite) with { ToSeconds = 60 }),
        Known("F17-slow", "checkpoint writes take 2 s longer", Rule(FaultPoint.CheckpointWrite, FaultAction.Delay) with { Milliseconds = 2_000 }),
        Known(
            "F18",
            "after 5 s the checkpoint container does not exist",
            Refused("missing", FaultPoint.CheckpointWrite, FaultPoint.CheckpointRead, FaultPoint.OwnershipWrite, FaultPoint.BlobList) with
            {
                FromSeconds = 5,
            }
        ),
        Known(
            "F21",
            "every 10th ownership that is written belongs to another owner immediately",
            Rule(FaultPoint.OwnershipWrite, FaultAction.Steal) with
            {
                Every = 10,
            }
        ),
        Known("F24", "one message never gets an answer", Rule(FaultPoint.MessageSend, FaultAction.BlackHole) with { Nth = 100, Limit = 1 }),
        Known("F25", "every 1,000th message takes 2 s longer", Rule(FaultPoint.MessageSend, FaultAction.Delay) with { Every = 1_000, Milliseconds = 2_000 }),
        Known(
            "F25-all",
            "for 30 s all messages and uploads take 100 ms longer",
            Rule(FaultPoint.MessageSend, FaultAction.Delay, FaultPoint.BlobWrite) with
            {
                Milliseconds = 100,
                ToSeconds = 30,
            }
        ),
        Known("F28", "the storage clock is 30 s ahead", Skewed(30)),
        Known("F28-behind", "the storage clock is 30 s late", Skewed(-30)),
        Known("F28-far", "the storage clock is 300 s ahead", Skewed(300)),
        Known(
            "F37",
            "connections are served at 64 bytes a second, handshakes included",
            Rule(FaultPoint.Connect, FaultAction.Slow) with
            {
                BytesPerSecond = 64,
            }
        ),
        Known(
            "F38",
            "after 20 s one reader receives an error that its token has expired",
            Detached(FaultPoint.EventDeliver, "expired") with
            {
                FromSeconds = 20,
                Limit = 1,
            }
        ),
        Known("twice", "one message in 100 is stored twice", Rule(FaultPoint.MessageSend, FaultAction.Duplicate) with { Every = 100 }),
        Known("redelivery", "one event in 100 is delivered twice", Rule(FaultPoint.EventDeliver, FaultAction.Duplicate) with { Every = 100 }),
        Known(
            "poison-message",
            "the 10th message is refused for good, as too large",
            Refused("too-large", FaultPoint.MessageSend) with
            {
                Nth = 10,
                StaysWithDetail = true,
            }
        ),
        Known("corrupt-message", "one message in 100 is stored with a wrong bit", Rule(FaultPoint.MessageSend, FaultAction.Corrupt) with { Every = 100 }),
        Known("corrupt-blob", "one upload in 100 is stored with a wrong bit", Rule(FaultPoint.BlobWrite, FaultAction.Corrupt) with { Every = 100 }),
        Known("slow-reads", "reads and lists of blobs take 500 ms longer", Rule(AllReads[0], FaultAction.Delay, AllReads[1..]) with { Milliseconds = 500 }),
        Known("no-management", "requests on $management get no answer", Rule(Management[0], FaultAction.BlackHole, Management[1..])),
        Known("no-token", "tokens are refused as expired", Refused("expired", FaultPoint.Token)),
    ];

    public static IReadOnlyList<string> Names { get; } = [.. All.Select(static fault => fault.Name)];

    public static FaultRule Named(string name) => All.Single(fault => fault.Name == name).Rule;

    private static KnownFault Known(string name, string what, FaultRule rule) => new(name, what, rule with { Name = name });

    private static FaultRule Rule(FaultPoint point, FaultAction action, params FaultPoint[] others) =>
        new()
        {
            Name = string.Empty,
            Points = [point, .. others],
            Action = action,
        };

    private static FaultRule Refused(string reason, FaultPoint point, params FaultPoint[] others) =>
        Rule(point, FaultAction.Refuse, others) with
        {
            Reason = FaultReason.Named(reason),
        };

    private static FaultRule Detached(FaultPoint point, string reason) => Rule(point, FaultAction.Detach) with { Reason = FaultReason.Named(reason) };

    private static FaultRule Uploads(string reason, int status) => Refused(reason, FaultPoint.BlobWrite) with { Every = 20, Status = status };

    private static FaultRule Skewed(double seconds) => Rule(FaultPoint.StorageClock, FaultAction.Skew) with { SkewSeconds = seconds };
}

/// <summary>A fault with its name and a sentence that describes it.</summary>
public sealed record KnownFault(string Name, string What, FaultRule Rule);
