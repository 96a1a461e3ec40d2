using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients.Azure.Auth;

/// <summary>Connection strings in the form that the packages read, and their address. They contain the key, so only the constructor of a client receives them.</summary>
internal static class SdkConnectionString
{
    /// <summary>The string of a namespace, without the entity, which is a separate argument.</summary>
    public static string Of(MessagingConnectionString service) =>
        $"Endpoint={service.Audience};SharedAccessKeyName={service.KeyName};SharedAccessKey={service.Key}"
        + (service.UseDevelopmentEmulator ? ";UseDevelopmentEmulator=true" : string.Empty);

    /// <summary>Where the packages connect: null for their own choice. They ignore the port of a connection string with TLS.</summary>
    public static Uri? GetEndpoint(MessagingConnectionString service) =>
        service.Port is null || service.UseDevelopmentEmulator ? null : new Uri(service.Audience);
}
