namespace EventHubThroughput.Amqp;

/// <summary>How a peer introduced itself to a listener.</summary>
/// <param name="Mechanism">The mechanism: MSSBCBS, ANONYMOUS or PLAIN.</param>
/// <param name="UserName">The user name of PLAIN; null with the others.</param>
/// <param name="Password">The password of PLAIN, not checked yet; never part of any text form.</param>
public sealed record SaslIdentity(string Mechanism, string? UserName = null, string? Password = null)
{
    /// <summary>Names mechanism and user only.</summary>
    public override string ToString() => $"SaslIdentity {{ Mechanism = {Mechanism}, UserName = {UserName} }}";
}
