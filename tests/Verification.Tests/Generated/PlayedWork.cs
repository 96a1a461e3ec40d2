using EventHubThroughput.Journal;

namespace EventHubThroughput.Verification.Tests.Generated;

/// <summary>What the laboratory does to a message.</summary>
internal enum PlayedFault
{
    None,

    /// <summary>It is stored, the answer is lost, and it is sent again.</summary>
    LosesAnswer,

    /// <summary>It is stored twice.</summary>
    Duplicates,

    /// <summary>It is refused, and sent again.</summary>
    Refuses,
}

/// <summary>One event on its way to both sinks, or to the dead letters.</summary>
internal sealed class PlayedWork
{
    private readonly Queue<JournalRecord> message = new();
    private readonly Queue<JournalRecord> blob = new();
    private readonly HashSet<PlayedEvent> archived;
    private readonly Random random;
    private readonly List<JournalRecord> journal;
    private readonly bool atOnce;
    private bool isThere;

    public PlayedWork(PlayedEvent played, bool isPoison, PlayedFault fault, HashSet<PlayedEvent> archived, Random random, List<JournalRecord> journal)
    {
        (Event, this.archived, this.random, this.journal) = (played, archived, random, journal);
        atOnce = random.Next(2) == 0;
        if (isPoison)
        {
            foreach (var moment in Enum.GetValues<WriteMoment>())
            {
                blob.Enqueue(played.DeadLetter(moment));
            }

            return;
        }

        foreach (var record in Messages(fault))
        {
            message.Enqueue(record);
        }

        foreach (var moment in Enum.GetValues<WriteMoment>())
        {
            blob.Enqueue(played.Blob(moment));
        }
    }

    public PlayedEvent Event { get; }

    /// <summary>Records what happens next. True when it was the last.</summary>
    public bool Step()
    {
        var queue = message.Count == 0 || (blob.Count > 0 && atOnce && random.Next(2) == 0) ? blob : message;
        var record = queue.Dequeue();
        // A writer that finds the blob stored already stores nothing.
        isThere |= record is BlobWritten { Moment: WriteMoment.Stored } && !archived.Add(Event);
        if (!isThere || record is not BlobWritten)
        {
            journal.Add(record);
        }

        return message.Count == 0 && blob.Count == 0;
    }

    private IEnumerable<JournalRecord> Messages(PlayedFault fault)
    {
        var target = $"{GoodRun.Queue}/{Event.Simulated.MessageId}";
        switch (fault)
        {
            case PlayedFault.LosesAnswer:
                yield return Event.Message(WriteMoment.Begun);
                yield return new FaultInjected("F11", "messageSend", "loseAnswer", target);
                yield return Event.Message(WriteMoment.Stored);
                break;
            case PlayedFault.Duplicates:
                yield return Event.Message(WriteMoment.Begun);
                yield return new FaultInjected("twice", "messageSend", "duplicate", target);
                yield return Event.Message(WriteMoment.Stored);
                yield return Event.Message(WriteMoment.Stored);
                yield return Event.Message(WriteMoment.Answered);
                yield break;
            case PlayedFault.Refuses:
                yield return Event.Message(WriteMoment.Begun);
                yield return new FaultInjected("F10", "messageSend", "busy", target);
                break;
            default:
                break;
        }

        yield return Event.Message(WriteMoment.Begun);
        yield return Event.Message(WriteMoment.Stored);
        yield return Event.Message(WriteMoment.Answered);
        if (random.Next(3) == 0)
        {
            yield return new MessageDelivered(GoodRun.Queue, Event.Simulated.MessageId, Event.Sequence, "reader");
            yield return new MessageSettled(GoodRun.Queue, Event.Simulated.MessageId, Event.Sequence, "complete", "reader");
        }
    }
}
