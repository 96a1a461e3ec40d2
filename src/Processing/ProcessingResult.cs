namespace EventHubThroughput.Processing;

/// <summary>How processing ended. In every case, each stored position is at or below complete events only.</summary>
/// <param name="End">The kind of end.</param>
/// <param name="Faults">The faults that ended it, and those at the end. None unless a fault ended it.</param>
public sealed record ProcessingResult(ProcessingEnd End, IReadOnlyList<ProcessingFault> Faults)
{
    /// <summary>The end in words: <c>Stopped</c>, or <c>Faulted: </c> with the first fault and the number of further ones.</summary>
    public override string ToString() => InWords(End, Faults);

    internal static string InWords(ProcessingEnd end, IReadOnlyList<ProcessingFault> faults) =>
        faults.Count switch
        {
            0 => $"{end}",
            1 => $"{end}: {faults[0]}",
            _ => $"{end}: {faults[0]} (and {faults.Count - 1} more)",
        };

    /// <summary>Throws the first fault, if there was one.</summary>
    /// <exception cref="ProcessingFaultException">A fault ended the processing. The inner exception is that of the handler, sink or client.</exception>
    public void ThrowIfFaulted()
    {
        if (Faults.Count > 0)
        {
            throw new ProcessingFaultException(Faults[0], Faults[0].Exception);
        }
    }
}
