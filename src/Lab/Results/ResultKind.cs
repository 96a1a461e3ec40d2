namespace EventHubThroughput.Lab.Results;

/// <summary>What a result file tells of.</summary>
internal enum ResultKind
{
    /// <summary>A run on a backlog, or on whatever is sent to its hub.</summary>
    Capacity,

    /// <summary>A run to which a comparison sent at a rate: what is compared is how long events took.</summary>
    Latency,

    /// <summary>A comparison of several strategies.</summary>
    Comparison,

    /// <summary>A verification without a run.</summary>
    Verification,

    /// <summary>What the model says, without a run.</summary>
    Model,
}
