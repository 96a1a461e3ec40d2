namespace EventHubThroughput.Consumer.Supervision;

/// <summary>Where a run may be asked to kill its own process. The names are those of the command line and of the results.</summary>
internal enum KillPoint
{
    /// <summary>Nowhere.</summary>
    None,

    /// <summary>After a batch was read, before its first write.</summary>
    K1,

    /// <summary>A message is on the wire and not answered.</summary>
    K2,

    /// <summary>Service Bus has an event that the blob store has not acknowledged.</summary>
    K3,

    /// <summary>Half of a blob's body is sent.</summary>
    K4,

    /// <summary>A blob is stored and its answer is not acted on.</summary>
    K5,

    /// <summary>An event is complete, and the watermark does not know.</summary>
    K6,

    /// <summary>The watermark has moved, and no checkpoint has been begun for that.</summary>
    K7,

    /// <summary>A checkpoint is on the wire.</summary>
    K8,

    /// <summary>A checkpoint is stored and its answer is not acted on.</summary>
    K9,

    /// <summary>Between the last event of a batch and the batch's end.</summary>
    K10,

    /// <summary>While a partition drains, before its last checkpoint.</summary>
    K11,

    /// <summary>The release of an ownership is on the wire.</summary>
    K12,

    /// <summary>Between writing the result file and putting it in its place.</summary>
    K13,

    /// <summary>Half of a dead letter's body is sent.</summary>
    K14,
}
