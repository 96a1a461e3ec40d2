using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients.Auth;

/// <summary>A token, its type and its expiry.</summary>
internal readonly record struct SecurityToken(string Text, string Type, DateTimeOffset Expiry)
{
    // A record would print the token.
    public override string ToString() => $"{Type} until {Expiry:O}";
}

/// <summary>Creates tokens from a connection string's key, each for one entity.</summary>
internal sealed class SasTokenProvider(MessagingConnectionString connectionString, TimeSpan lifetime, TimeProvider timeProvider)
{
    /// <summary>The audience of an entity: with the port only if the connection string names one.</summary>
    public string GetAudience(string entityPath) => connectionString.Audience + entityPath;

    public SecurityToken Create(string entityPath)
    {
        // Tokens state whole seconds. The fraction that is lost must not count when the renewal is scheduled.
        var expiry = DateTimeOffset.FromUnixTimeSeconds((timeProvider.GetUtcNow() + lifetime).ToUnixTimeSeconds());
        var text = SasToken.Create(GetAudience(entityPath), connectionString.KeyName!, connectionString.Key!, expiry);
        return new SecurityToken(text, AmqpNames.SasTokenType, expiry);
    }
}
