using Azure.Core;
using Azure.Identity;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Tests.Families;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

public sealed class OfficialAccessProbeTests() : AccessProbeContract(OfficialClients.Family)
{
    private static readonly DateTimeOffset Expiry = new(2027, 1, 2, 3, 4, 5, TimeSpan.Zero);

    [Theory]
    [InlineData(ProbedService.EventHubs, "https://eventhubs.azure.net/.default")]
    [InlineData(ProbedService.ServiceBus, "https://servicebus.azure.net/.default")]
    [InlineData(ProbedService.Storage, "https://storage.azure.com/.default")]
    public async Task A_token_is_requested_for_the_service_and_its_expiry_is_returned(ProbedService service, string scope)
    {
        var identity = new Identity();
        await using var clients = Connect(identity);

        Assert.Equal(Expiry, await clients.RequestTokenAsync(service, Token));

        Assert.Equal([scope], identity.Scopes);
    }

    [Theory]
    [InlineData(ProbedService.EventHubs, "no Entra ID token for event hubs")]
    [InlineData(ProbedService.ServiceBus, "no Entra ID token for service bus")]
    [InlineData(ProbedService.Storage, "no Entra ID token for storage")]
    public async Task An_identity_without_a_token_is_reported_with_the_service(ProbedService service, string expected)
    {
        await using var clients = Connect(new Identity { Refuses = true });

        await FailsAsync(FailureKind.Unauthorized, expected, () => clients.RequestTokenAsync(service, Token));
    }

    private static OfficialClients Connect(TokenCredential identity) =>
        new(
            new MessagingSettings
            {
                EventHub = MessagingConnectionString.OfNamespace("orders.servicebus.windows.net"),
                EventHubName = "hub",
                ServiceBus = MessagingConnectionString.OfNamespace("orders.servicebus.windows.net"),
                Queue = "queue",
                Storage = StorageConnectionString.OfAddress("https://orders.blob.core.windows.net"),
            },
            new ClientOptions(),
            new GivenClients { Credential = identity }
        );

    private sealed class Identity : TokenCredential
    {
        public bool Refuses { get; init; }

        public List<string> Scopes { get; } = [];

        public override ValueTask<AccessToken> GetTokenAsync(TokenRequestContext requestContext, CancellationToken cancellationToken)
        {
            Scopes.AddRange(requestContext.Scopes);
            return Refuses ? throw new AuthenticationFailedException("canary") : ValueTask.FromResult(new AccessToken("canary", Expiry));
        }

        public override AccessToken GetToken(TokenRequestContext requestContext, CancellationToken cancellationToken) => throw new NotSupportedException();
    }
}
