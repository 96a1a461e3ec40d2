using System.Security.Cryptography.X509Certificates;

namespace EventHubThroughput.Amqp;

/// <summary>What a peer said of itself in SASL. Nothing of it has been checked, but for the certificate of EXTERNAL.</summary>
/// <param name="Mechanism">The mechanism that the peer chose.</param>
/// <param name="UserName">PLAIN's user name, or who a peer with EXTERNAL wants to be. Else null.</param>
/// <param name="Password">PLAIN's password, else null. Never shown.</param>
public sealed record SaslIdentity(string Mechanism, string? UserName, string? Password)
{
    /// <summary>EXTERNAL's certificate, which the listener has taken in TLS. Else null.</summary>
    public X509Certificate? Certificate { get; init; }

    /// <inheritdoc/>
    public override string ToString() => $"SaslIdentity {{ Mechanism = {Mechanism}, UserName = {UserName}, Certificate = {Certificate?.Subject} }}";
}
