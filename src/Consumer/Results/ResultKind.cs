namespace EventHubThroughput.Consumer.Results;

/// <summary>What a result file tells of.</summary>
internal enum ResultKind
{
    /// <summary>A run.</summary>
    Capacity,

    /// <summary>A comparison of several strategies.</summary>
    Comparison,

    /// <summary>A verification without a run.</summary>
    Verification,

    /// <summary>What the model says, without a run.</summary>
    Model,
}
