namespace EventHubThroughput.Lab.Results;

/// <summary>The kind of a result file.</summary>
internal enum ResultKind
{
    /// <summary>A run on a backlog, or on the events that are sent to its hub.</summary>
    Capacity,

    /// <summary>A run to which a comparison sent at a rate: what is compared is how long events took.</summary>
    Latency,

    /// <summary>A comparison of several strategies.</summary>
    Comparison,

    /// <summary>A verification without a run.</summary>
    Verification,

    /// <summary>The figures of the model, without a run.</summary>
    Model,
}
