namespace EventHubThroughput.Amqp;

/// <summary>The SASL mechanisms that this library supports.</summary>
public static class SaslMechanism
{
    /// <summary>No credentials: authorisation comes later, through claims put on the connection.</summary>
    public const string Mssbcbs = "MSSBCBS";

    /// <summary>No credentials.</summary>
    public const string Anonymous = "ANONYMOUS";

    /// <summary>No credentials here: the certificate in TLS has already proven the peer's identity (RFC 4422, appendix A).</summary>
    public const string External = "EXTERNAL";

    /// <summary>User name and password.</summary>
    public const string Plain = "PLAIN";
}
