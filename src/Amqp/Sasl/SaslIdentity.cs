using System.Security.Cryptography.X509Certificates;

namespace EventHubThroughput.Amqp;

/// <summary>The identity that a peer sent in SASL. Nothing of it has been checked, except the certificate of EXTERNAL.</summary>
/// <param name="Mechanism">The mechanism that the peer chose.</param>
/// <param name="UserName">PLAIN's user name, or the identity that a peer with EXTERNAL asks for. Else null.</param>
/// <param name="Password">PLAIN's password, else null. It is never shown.</param>
public sealed record SaslIdentity(string Mechanism, string? UserName, string? Password)
{
    /// <summary>EXTERNAL's certificate, which the listener has accepted in TLS. Else null.</summary>
    public X509Certificate? Certificate { get; init; }

    /// <inheritdoc/>
    public override string ToString() => $"SaslIdentity {{ Mechanism = {Mechanism}, UserName = {UserName}, Certificate = {Certificate?.Subject} }}";
}
