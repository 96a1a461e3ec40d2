namespace EventHubThroughput.Lab.Results;

/// <summary>The result of <c>consumer verify</c>: the verdict alone, computed without a run.</summary>
internal sealed record VerificationResult
{
    /// <summary>Which run was judged.</summary>
    public required VerificationHeader Run { get; init; }

    /// <summary>Which build judged.</summary>
    public required ProgramDetails Program { get; init; }

    /// <summary>The verdict by ledger and journal, or by ledger and namespace.</summary>
    public required SafetyFigures Safety { get; init; }
}
