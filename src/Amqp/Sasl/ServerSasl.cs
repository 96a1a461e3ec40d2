using System.Security.Cryptography.X509Certificates;
using System.Text;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Amqp.Sasl;

namespace EventHubThroughput.Amqp;

/// <summary>The listener's side of SASL. It admits every peer that uses SASL, unless the caller refuses it: rights are granted by tokens.</summary>
internal static class ServerSasl
{
    /// <summary>Reads headers and SASL up to and including the AMQP headers. Null when the peer came without SASL.</summary>
    public static async Task<SaslIdentity?> AuthenticateAsync(
        HandshakePipe pipe,
        IReadOnlyList<string> mechanisms,
        Func<SaslIdentity, bool>? mayEnter,
        X509Certificate? certificate,
        CancellationToken cancellationToken
    )
    {
        var header = await ReadHeaderAsync(pipe, ProtocolHeader.Sasl, cancellationToken).ConfigureAwait(false);
        if (header == ProtocolHeader.Amqp)
        {
            await pipe.WriteAsync(ProtocolHeader.Amqp, cancellationToken).ConfigureAwait(false);
            return null;
        }

        if (header != ProtocolHeader.Sasl)
        {
            throw await RefusedAsync(pipe, ProtocolHeader.Sasl, cancellationToken).ConfigureAwait(false);
        }

        await pipe.WriteAsync(ProtocolHeader.Sasl, cancellationToken).ConfigureAwait(false);
        await pipe.WriteSaslAsync(new SaslMechanisms { Mechanisms = [.. mechanisms.Select(name => new AmqpSymbol(name))] }, cancellationToken)
            .ConfigureAwait(false);
        var init = await pipe.ReadSaslAsync<SaslInit>(cancellationToken).ConfigureAwait(false);
        var identity = mechanisms.Contains(init.Mechanism.Value) ? GetIdentity(init, certificate) : null;
        if (identity is not null && mayEnter?.Invoke(identity) == false)
        {
            identity = null;
        }

        await pipe.WriteSaslAsync(new SaslOutcome { Code = identity is null ? SaslCode.Auth : SaslCode.Ok }, cancellationToken).ConfigureAwait(false);
        if (identity is null)
        {
            throw new AmqpException(
                AmqpErrorScope.Transport,
                new AmqpError(
                    ErrorCondition.UnauthorizedAccess,
                    $"SASL mechanism '{init.Mechanism}' is not offered, its response is malformed, it lacks a certificate, or the peer is not let in."
                )
            );
        }

        header = await ReadHeaderAsync(pipe, ProtocolHeader.Amqp, cancellationToken).ConfigureAwait(false);
        if (header != ProtocolHeader.Amqp)
        {
            throw await RefusedAsync(pipe, ProtocolHeader.Amqp, cancellationToken).ConfigureAwait(false);
        }

        await pipe.WriteAsync(ProtocolHeader.Amqp, cancellationToken).ConfigureAwait(false);
        return identity;
    }

    private static SaslIdentity? GetIdentity(SaslInit init, X509Certificate? certificate)
    {
        if (init.Mechanism.Value == SaslMechanism.External)
        {
            var wanted = Encoding.UTF8.GetString((init.InitialResponse ?? default).Span);
            return certificate is null
                ? null
                : new SaslIdentity(SaslMechanism.External, wanted.Length == 0 ? null : wanted, null) { Certificate = certificate };
        }

        if (init.Mechanism.Value != SaslMechanism.Plain)
        {
            return new SaslIdentity(init.Mechanism.Value, null, null);
        }

        // authorisation identity NUL authentication identity NUL password (RFC 4616)
        var parts = Encoding.UTF8.GetString((init.InitialResponse ?? default).Span).Split('\0');
        return parts.Length == 3 ? new SaslIdentity(SaslMechanism.Plain, parts[1], parts[2]) : null;
    }

    // Bytes that are not a header are answered with the wanted header, as the specification asks (2.2).
    private static async Task<ProtocolHeader> ReadHeaderAsync(HandshakePipe pipe, ProtocolHeader wanted, CancellationToken cancellationToken)
    {
        try
        {
            return await pipe.ReadHeaderAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (AmqpException exception) when (exception.Scope == AmqpErrorScope.Decode)
        {
            throw await RefusedAsync(pipe, wanted, cancellationToken).ConfigureAwait(false);
        }
    }

    private static async Task<AmqpException> RefusedAsync(HandshakePipe pipe, ProtocolHeader wanted, CancellationToken cancellationToken)
    {
        await pipe.WriteAsync(wanted, cancellationToken).ConfigureAwait(false);
        return new AmqpException(AmqpErrorScope.Transport, new AmqpError(ErrorCondition.FramingError, "The peer began with another protocol."));
    }
}
