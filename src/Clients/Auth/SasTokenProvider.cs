using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients.Auth;

/// <summary>A token, what it is, and when it ends.</summary>
internal readonly record struct SecurityToken(string Text, string Type, DateTimeOffset Expiry)
{
    // A record would print the token.
    public override string ToString() => $"{Type} until {Expiry:O}";
}

/// <summary>Makes tokens from a connection string's key, each for one entity.</summary>
internal sealed class SasTokenProvider(MessagingConnectionString connectionString, TimeSpan lifetime, TimeProvider timeProvider)
{
    /// <summary>The audience of an entity: with the port only if the connection string names one.</summary>
    public string AudienceOf(string entityPath) => connectionString.Audience + entityPath;

    public SecurityToken Create(string entityPath)
    {
        // Tokens state whole seconds: what is cut off must not be counted on when the renewal is planned.
        var expiry = DateTimeOffset.FromUnixTimeSeconds((timeProvider.GetUtcNow() + lifetime).ToUnixTimeSeconds());
        var text = SasToken.Create(AudienceOf(entityPath), connectionString.KeyName!, connectionString.Key!, expiry);
        return new SecurityToken(text, AmqpNames.SasTokenType, expiry);
    }
}
