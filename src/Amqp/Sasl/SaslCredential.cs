namespace EventHubThroughput.Amqp;

/// <summary>User name and password for SASL PLAIN. They travel in clear text inside the connection.</summary>
/// <param name="UserName">The user name.</param>
/// <param name="Password">The password. It is not part of any text form.</param>
public sealed record SaslCredential(string UserName, string Password)
{
    /// <summary>Names the user only.</summary>
    public override string ToString() => $"SaslCredential {{ UserName = {UserName} }}";
}
