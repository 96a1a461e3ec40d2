using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

/// <summary>The scope that an <see cref="AmqpException"/> has ended.</summary>
public enum AmqpErrorScope
{
    /// <summary>The socket, TLS or SASL failed, or the peer stopped sending. The connection is gone.</summary>
    Transport,

    /// <summary>The connection was closed with an error.</summary>
    Connection,

    /// <summary>The session was ended with an error.</summary>
    Session,

    /// <summary>The link was refused or detached with an error.</summary>
    Link,

    /// <summary>One delivery was not accepted.</summary>
    Delivery,

    /// <summary>Bytes could not be decoded: <see cref="ErrorCondition.DecodeError"/> or <see cref="ErrorCondition.FramingError"/>.</summary>
    Decode,

    /// <summary>The peer did not answer within the operation's time-out.</summary>
    Timeout,
}

/// <summary>An AMQP error, the peer's or our own, and what it has ended.</summary>
public sealed class AmqpException : Exception
{
    /// <summary>Creates an exception of an error.</summary>
    /// <param name="scope">The scope that the error has ended.</param>
    /// <param name="error">The error, as a peer sent it or would be sent it.</param>
    /// <param name="innerException">The cause below AMQP, if there is one.</param>
    public AmqpException(AmqpErrorScope scope, AmqpError error, Exception? innerException = null)
        : base(error.Description is { Length: > 0 } text ? $"{text} ({error.Condition})" : error.Condition.ToString(), innerException)
    {
        Scope = scope;
        Error = error;
    }

    /// <summary>The error.</summary>
    public AmqpError Error { get; }

    /// <summary>The scope that the error has ended.</summary>
    public AmqpErrorScope Scope { get; }

    /// <summary>The same error for another caller. An exception that several callers throw would grow its stack trace with each of them.</summary>
    internal AmqpException Again() => new(Scope, Error, this);

    internal static AmqpException Decode(string description) => new(AmqpErrorScope.Decode, new AmqpError(ErrorCondition.DecodeError, description));

    internal static AmqpException Framing(string description) => new(AmqpErrorScope.Decode, new AmqpError(ErrorCondition.FramingError, description));
}
