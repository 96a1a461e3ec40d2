namespace EventHubThroughput.Emulator.Laboratory;

/// <summary>What an endpoint waits for before it answers, so that a run meets the delays of a chosen profile.</summary>
internal interface ILatency
{
    /// <summary>Completes when the operation may take effect.</summary>
    ValueTask ApplyAsync(EmulatedOperation operation, CancellationToken cancellationToken);
}

/// <summary>The operations that a profile may delay. Whatever is not listed costs nothing.</summary>
internal enum EmulatedOperation
{
    /// <summary>A message sent to a queue.</summary>
    MessageSend,

    /// <summary>An upload outside the checkpoint layout.</summary>
    BlobWrite,

    /// <summary>A write to a blob whose name is that of a checkpoint.</summary>
    CheckpointWrite,

    /// <summary>The way from credit on an idle link to the next delivery.</summary>
    Receive,
}
