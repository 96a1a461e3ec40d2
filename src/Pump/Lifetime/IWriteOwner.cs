namespace EventHubThroughput.Pump.Lifetime;

/// <summary>Whoever may write an event now: the owner of its partition, or who has claimed its dead letter.</summary>
internal interface IWriteOwner
{
    /// <summary>Cuts writes: they are nobody's affair any more, or there is no time left.</summary>
    CancellationToken Writes { get; }

    /// <summary>Before a try begins: whether it is still ours to make. Cancelled when it is not.</summary>
    ValueTask EnsureOwnedAsync();
}
