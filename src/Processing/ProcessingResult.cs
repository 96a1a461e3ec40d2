namespace EventHubThroughput.Processing;

/// <summary>How processing ended. Whatever the end, every position that was stored lies at or below complete events only.</summary>
/// <param name="End">Why it ended.</param>
/// <param name="Faults">What ended it, and what came up at the end. None unless it was a fault.</param>
public sealed record ProcessingResult(ProcessingEnd End, IReadOnlyList<ProcessingFault> Faults)
{
    /// <summary>The end in words: <c>Stopped</c>, or <c>Faulted: </c> with the first fault and how many came after it.</summary>
    public override string ToString() => InWords(End, Faults);

    internal static string InWords(ProcessingEnd end, IReadOnlyList<ProcessingFault> faults) =>
        faults.Count switch
        {
            0 => $"{end}",
            1 => $"{end}: {faults[0]}",
            _ => $"{end}: {faults[0]} (and {faults.Count - 1} more)",
        };

    /// <summary>Throws the first fault, if there was one.</summary>
    /// <exception cref="ProcessingFaultException">A fault ended the processing. The inner exception is what the handler, sink or client threw.</exception>
    public void ThrowIfFaulted()
    {
        if (Faults.Count > 0)
        {
            throw new ProcessingFaultException(Faults[0], Faults[0].Exception);
        }
    }
}
