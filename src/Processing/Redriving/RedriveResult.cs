using System.Globalization;

namespace EventHubThroughput.Processing;

/// <summary>What became of one dead letter, or of another blob in their container.</summary>
public enum RedriveOutcome
{
    /// <summary>It waits to be written again: a dry run only looks, and a service that has gone proves nothing about an event.</summary>
    Waiting,

    /// <summary>Every sink that had refused it has it now, and it is removed.</summary>
    Redriven,

    /// <summary>At least one sink refused it again; it stays, with the new reason.</summary>
    Refused,

    /// <summary>It is no dead letter, or lacks what is needed to write it again; it stays as it is.</summary>
    Unreadable,

    /// <summary>Another redrive has claimed it.</summary>
    Claimed,

    /// <summary>Its write was cut; it stays claimed until the claim has run out.</summary>
    Cut,
}

/// <summary>One step of a redrive. Neither reason nor name hold a key, a body or a secret.</summary>
/// <param name="Name">The name of the blob.</param>
/// <param name="Outcome">What became of it.</param>
/// <param name="Sinks">The sinks that do not have the event.</param>
/// <param name="Reason">Why; of one that was redriven, why it had been a dead letter.</param>
public sealed record RedriveStep(string Name, RedriveOutcome Outcome, IReadOnlyList<string> Sinks, string Reason)
{
    /// <summary>The step in one line: <c>hub/0/7: Refused (blob): reason</c>.</summary>
    public override string ToString() => $"{Name}: {Outcome}{(Sinks.Count == 0 ? "" : $" ({string.Join(", ", Sinks)})")}: {Reason}";
}

/// <summary>Dead letters that are left for the same reason.</summary>
/// <param name="Sinks">The sinks that do not have these events, parted by commas; empty for blobs that cannot be read as dead letters.</param>
/// <param name="Reason">The reason; numbers in it stand as <c>#</c>.</param>
/// <param name="Count">How many.</param>
public sealed record DeadLettersLeft(string Sinks, string Reason, long Count);

/// <summary>How a redrive ended.</summary>
public sealed record RedriveResult
{
    /// <summary>Why it ended.</summary>
    public required ProcessingEnd End { get; init; }

    /// <summary>What ended it, if a fault did.</summary>
    public required IReadOnlyList<ProcessingFault> Faults { get; init; }

    /// <summary>Dead letters that were written to every sink that had refused them, and removed.</summary>
    public required long Redriven { get; init; }

    /// <summary>Dead letters that at least one sink refused again.</summary>
    public required long Refused { get; init; }

    /// <summary>Blobs that are no dead letters, or lack what is needed.</summary>
    public required long Unreadable { get; init; }

    /// <summary>
    /// What is left in the container at the end, by reason, the most frequent first; those of other event hubs aside. At most 20 reasons,
    /// the others together. Null when that could not be read.
    /// </summary>
    public required IReadOnlyList<DeadLettersLeft>? Left { get; init; }

    /// <summary>Whether nothing is left.</summary>
    public bool IsEmpty => Left is { Count: 0 };

    /// <summary>The end and the counts in words.</summary>
    public override string ToString()
    {
        var left = Left is null ? "an unknown number" : Left.Sum(static one => one.Count).ToString(CultureInfo.InvariantCulture);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{ProcessingResult.InWords(End, Faults)}: {Redriven} redriven, {Refused} refused, {Unreadable} unreadable, {left} left"
        );
    }

    /// <summary>Throws the first fault, if there was one.</summary>
    /// <exception cref="ProcessingFaultException">A fault ended the redrive; the inner exception is what the handler, sink or client threw.</exception>
    public void ThrowIfFaulted()
    {
        if (Faults.Count > 0)
        {
            throw new ProcessingFaultException(Faults[0], Faults[0].Exception);
        }
    }
}
