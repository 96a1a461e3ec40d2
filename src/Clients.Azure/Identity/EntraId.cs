using Azure.Core;
using Azure.Identity;

namespace EventHubThroughput.Clients.Azure.Identity;

/// <summary>Entra ID where a service has no key: whatever identity the machine, its environment or the developer's tools offer.</summary>
internal static class EntraId
{
    /// <summary>One credential for all services, which keeps its tokens. Null when every service has a key.</summary>
    public static TokenCredential? CredentialFor(MessagingSettings settings) => settings.ByEntraId.Any() ? NewCredential() : null;

    /// <summary>Whatever the machine offers, asked when the first token is needed.</summary>
    public static TokenCredential NewCredential() => new DefaultAzureCredential();

    /// <summary>No source of identities gave a token. Which ones were tried, and why each failed, is the cause's to say.</summary>
    public static MessagingException NoToken(string entity, AuthenticationFailedException cause) =>
        new(FailureKind.Unauthorized, $"no Entra ID token for {entity}", cause);
}
