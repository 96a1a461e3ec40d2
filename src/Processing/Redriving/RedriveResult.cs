using System.Globalization;

namespace EventHubThroughput.Processing;

/// <summary>The outcome of one dead letter, or of another blob in its container.</summary>
public enum RedriveOutcome
{
    /// <summary>It waits for a redrive: a dry run only lists, and an unavailable service proves nothing about an event.</summary>
    Waiting,

    /// <summary>Every sink that had refused it has it now, and it is removed.</summary>
    Redriven,

    /// <summary>At least one sink refused it again. It stays, with the new reason.</summary>
    Refused,

    /// <summary>It is not a dead letter, or lacks data that a redrive needs. It stays unchanged.</summary>
    Unreadable,

    /// <summary>Another redrive has claimed it.</summary>
    Claimed,

    /// <summary>Its write was cancelled. It stays claimed until the claim has expired.</summary>
    Cut,
}

/// <summary>One step of a redrive. Reason and name contain no key, body or secret.</summary>
/// <param name="Name">The name of the blob.</param>
/// <param name="Outcome">The outcome.</param>
/// <param name="Sinks">The sinks that do not have the event.</param>
/// <param name="Reason">The reason. For a redriven one, the reason of its dead-lettering.</param>
public sealed record RedriveStep(string Name, RedriveOutcome Outcome, IReadOnlyList<string> Sinks, string Reason)
{
    /// <summary>The step in one line: <c>hub/0/7: Refused (blob): reason</c>.</summary>
    public override string ToString() => $"{Name}: {Outcome}{(Sinks.Count == 0 ? "" : $" ({string.Join(", ", Sinks)})")}: {Reason}";
}

/// <summary>Dead letters that are left for the same reason.</summary>
/// <param name="Sinks">The sinks that do not have these events, separated by commas. Empty for blobs that cannot be read as dead letters.</param>
/// <param name="Reason">The reason. Numbers in it are replaced by <c>#</c>.</param>
/// <param name="Count">The number.</param>
public sealed record DeadLettersLeft(string Sinks, string Reason, long Count);

/// <summary>How a redrive ended.</summary>
public sealed record RedriveResult
{
    /// <summary>The kind of end.</summary>
    public required ProcessingEnd End { get; init; }

    /// <summary>The faults, if it was a fault.</summary>
    public required IReadOnlyList<ProcessingFault> Faults { get; init; }

    /// <summary>Dead letters that were written to every sink that had refused them, and removed.</summary>
    public required long Redriven { get; init; }

    /// <summary>Dead letters that at least one sink refused again.</summary>
    public required long Refused { get; init; }

    /// <summary>Blobs that are not dead letters, or lack data.</summary>
    public required long Unreadable { get; init; }

    /// <summary>
    /// What is left in the container at the end, by reason, the most frequent first, without those of other event hubs. At most 20 reasons. The others are
    /// counted together. Null when that could not be read.
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
    /// <exception cref="ProcessingFaultException">A fault ended the redrive. The inner exception is that of the handler, sink or client.</exception>
    public void ThrowIfFaulted()
    {
        if (Faults.Count > 0)
        {
            throw new ProcessingFaultException(Faults[0], Faults[0].Exception);
        }
    }
}
