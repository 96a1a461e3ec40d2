namespace EventHubThroughput.Lab.Results;

/// <summary>Which run was judged, and how that ended.</summary>
internal sealed record VerificationHeader
{
    /// <summary>The version of this document's form, 1.</summary>
    public required int Schema { get; init; }

    /// <summary>The name of the run. Null when the ledger names none.</summary>
    public string? Id { get; init; }

    /// <summary>The kind of the document, here a verification.</summary>
    public required ResultKind Kind { get; init; }

    /// <summary>The exit code that follows from the verdict.</summary>
    public required int ExitCode { get; init; }
}
