using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using EventHubThroughput.Amqp.Codec;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>SASL EXTERNAL: the certificate of a peer is its identity.</summary>
public sealed class ExternalTests : IDisposable
{
    private readonly X509Certificate2 server = Certificates.SelfSigned("localhost");
    private readonly X509Certificate2 known = Certificates.SelfSigned("known");
    private readonly X509Certificate2 stranger = Certificates.SelfSigned("stranger");

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        server.Dispose();
        known.Dispose();
        stranger.Dispose();
    }

    [Theory]
    [InlineData("", null)]
    [InlineData("somebody", "somebody")]
    public async Task A_certificate_that_the_listener_takes_is_the_identity(string wanted, string? name)
    {
        await using var listener = Listen();
        await using var connection = await ConnectAsync(listener, known, wanted);

        var identity = Assert.Single(listener.Connections).Sasl!;
        Assert.Equal(
            (SaslMechanism.External, name, null, "CN=known"),
            (identity.Mechanism, identity.UserName, identity.Password, identity.Certificate?.Subject)
        );
    }

    [Fact]
    public async Task EXTERNAL_without_a_certificate_is_refused()
    {
        await using var listener = Listen();
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => ConnectAsync(listener, certificate: null, string.Empty));
        Assert.Equal(ErrorCondition.UnauthorizedAccess, refusal.Error.Condition.Value);
    }

    [Fact]
    public async Task A_certificate_that_the_listener_does_not_take_ends_the_connection()
    {
        await using var listener = Listen();
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => ConnectAsync(listener, stranger, string.Empty));
        Assert.Equal(AmqpErrorScope.Transport, refusal.Scope);
        Assert.Empty(listener.Connections);
    }

    [Fact]
    public async Task A_client_reports_that_the_listener_does_not_offer_EXTERNAL()
    {
        await using var listener = AmqpListener.Start(new AmqpListenerOptions { Certificate = server }, static _ => new AnyLink());
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => ConnectAsync(listener, known, string.Empty));
        Assert.Contains("not EXTERNAL", refusal.Error.Description, StringComparison.Ordinal);
    }

    private AmqpListener Listen() =>
        AmqpListener.Start(
            new AmqpListenerOptions
            {
                Certificate = server,
                CheckPeerCertificate = (_, shown, _, _) => shown is null || shown.GetCertHashString() == known.GetCertHashString(),
                SaslMechanisms = [SaslMechanism.External, SaslMechanism.Anonymous],
            },
            static _ => new AnyLink()
        );

    private Task<AmqpConnection> ConnectAsync(AmqpListener listener, X509Certificate2? certificate, string identity) =>
        AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions
            {
                Host = "127.0.0.1",
                Port = listener.LocalEndPoint.Port,
                UseTls = true,
                ExternalIdentity = identity,
                Tls = new SslClientAuthenticationOptions
                {
                    TargetHost = "localhost",
                    ClientCertificates = certificate is null ? [] : [certificate],
                    RemoteCertificateValidationCallback = (_, shown, _, _) => shown?.GetCertHashString() == server.GetCertHashString(),
                },
            },
            Cancelled
        );
}
