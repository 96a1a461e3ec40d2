namespace EventHubThroughput.Amqp;

/// <summary>What a peer said of itself in SASL. Nothing of it has been checked.</summary>
/// <param name="Mechanism">The mechanism that the peer chose.</param>
/// <param name="UserName">PLAIN's user name, else null.</param>
/// <param name="Password">PLAIN's password, else null. Never shown.</param>
public sealed record SaslIdentity(string Mechanism, string? UserName, string? Password)
{
    /// <inheritdoc/>
    public override string ToString() => $"SaslIdentity {{ Mechanism = {Mechanism}, UserName = {UserName} }}";
}
