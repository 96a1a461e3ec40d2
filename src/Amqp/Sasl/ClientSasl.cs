using System.Text;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Amqp.Sasl;

namespace EventHubThroughput.Amqp;

/// <summary>The client's side of SASL: headers, a mechanism, the outcome (AMQP 1.0 part 5, 5.3).</summary>
internal static class ClientSasl
{
    public static async Task AuthenticateAsync(
        HandshakePipe pipe,
        SaslCredential? credential,
        string? externalIdentity,
        string hostName,
        CancellationToken cancellationToken
    )
    {
        await pipe.WriteAsync(ProtocolHeader.Sasl, cancellationToken).ConfigureAwait(false);
        Expect(ProtocolHeader.Sasl, await pipe.ReadHeaderAsync(cancellationToken).ConfigureAwait(false));
        var offered = await pipe.ReadSaslAsync<SaslMechanisms>(cancellationToken).ConfigureAwait(false);
        await pipe.WriteSaslAsync(Choose(offered, credential, externalIdentity, hostName), cancellationToken).ConfigureAwait(false);
        var outcome = await pipe.ReadSaslAsync<SaslOutcome>(cancellationToken).ConfigureAwait(false);
        if (outcome.Code != SaslCode.Ok)
        {
            throw Refused($"SASL was refused: {outcome.Code}.");
        }

        await pipe.WriteAsync(ProtocolHeader.Amqp, cancellationToken).ConfigureAwait(false);
        Expect(ProtocolHeader.Amqp, await pipe.ReadHeaderAsync(cancellationToken).ConfigureAwait(false));
    }

    private static SaslInit Choose(SaslMechanisms offered, SaslCredential? credential, string? externalIdentity, string hostName)
    {
        HashSet<string> names = [.. offered.Mechanisms.Select(mechanism => mechanism.Value)];
        if (externalIdentity is not null)
        {
            return names.Contains(SaslMechanism.External)
                ? new SaslInit
                {
                    Mechanism = SaslMechanism.External,
                    InitialResponse = Encoding.UTF8.GetBytes(externalIdentity),
                    HostName = hostName,
                }
                : throw NoneFits(offered, SaslMechanism.External);
        }

        if (credential is not null)
        {
            return names.Contains(SaslMechanism.Plain)
                ? new SaslInit
                {
                    Mechanism = SaslMechanism.Plain,
                    InitialResponse = Encoding.UTF8.GetBytes($"\0{credential.UserName}\0{credential.Password}"),
                    HostName = hostName,
                }
                : throw NoneFits(offered, SaslMechanism.Plain);
        }

        return names.Contains(SaslMechanism.Mssbcbs) ? new SaslInit { Mechanism = SaslMechanism.Mssbcbs, HostName = hostName }
            : names.Contains(SaslMechanism.Anonymous)
                ? new SaslInit
                {
                    Mechanism = SaslMechanism.Anonymous,
                    InitialResponse = default(ReadOnlyMemory<byte>),
                    HostName = hostName,
                }
            : throw NoneFits(offered, $"{SaslMechanism.Mssbcbs} and {SaslMechanism.Anonymous}");
    }

    private static void Expect(ProtocolHeader expected, ProtocolHeader found)
    {
        if (expected != found)
        {
            throw new AmqpException(
                AmqpErrorScope.Transport,
                new AmqpError(ErrorCondition.FramingError, $"The peer speaks protocol {found.ProtocolId} version {found.Major}.{found.Minor}.{found.Revision}.")
            );
        }
    }

    private static AmqpException NoneFits(SaslMechanisms offered, string wanted) =>
        Refused($"The peer offers {string.Join(", ", offered.Mechanisms.Select(m => m.Value))}, not {wanted}.");

    private static AmqpException Refused(string text) => new(AmqpErrorScope.Transport, new AmqpError(ErrorCondition.UnauthorizedAccess, text));
}
