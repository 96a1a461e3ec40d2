using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Clients;

/// <summary>Where the clients of a service connect, and with which credential. It contains no secret.</summary>
/// <param name="Host">The host.</param>
/// <param name="Port">The port.</param>
/// <param name="UsesTls">Whether connections use TLS.</param>
/// <param name="IsLoopback">Whether the host is this machine.</param>
/// <param name="KeyName">The name of the key, for storage that of the account. Null for Entra ID.</param>
/// <param name="Variable">The variable that names the host.</param>
public sealed record ServiceAddress(string Host, int Port, bool UsesTls, bool IsLoopback, string? KeyName, string Variable)
{
    internal static ServiceAddress Of(MessagingConnectionString service, MessagingTransport transport, string variable, string withoutKey) =>
        new(
            service.Host,
            transport.GetPort(service),
            !service.UseDevelopmentEmulator,
            service.IsLoopback,
            service.KeyName,
            service.Key is null ? withoutKey : variable
        );

    internal static ServiceAddress Of(StorageConnectionString storage) =>
        new(
            storage.BlobEndpoint.IdnHost,
            storage.BlobEndpoint.Port,
            storage.UseTls,
            storage.BlobEndpoint.IsLoopback,
            storage.AccountKey.IsEmpty ? null : storage.AccountName,
            storage.AccountKey.IsEmpty ? EnvironmentReader.StorageAccountUrl : EnvironmentReader.StorageConnection
        );
}
