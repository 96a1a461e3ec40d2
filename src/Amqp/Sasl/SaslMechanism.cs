namespace EventHubThroughput.Amqp;

/// <summary>The SASL mechanisms that this library speaks.</summary>
public static class SaslMechanism
{
    /// <summary>No credentials: authorisation comes later, through claims put on the connection.</summary>
    public const string Mssbcbs = "MSSBCBS";

    /// <summary>No credentials.</summary>
    public const string Anonymous = "ANONYMOUS";

    /// <summary>User name and password.</summary>
    public const string Plain = "PLAIN";
}
