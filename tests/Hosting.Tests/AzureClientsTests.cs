using Azure.Core;
using Azure.Messaging.EventHubs;
using Azure.Messaging.EventHubs.Producer;
using Azure.Storage.Blobs;
using Azure.Storage.Blobs.Models;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.Emulator;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Processing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Xunit;

namespace EventHubThroughput.Hosting.Tests;

/// <summary>Azure clients that the services of the host have.</summary>
public sealed class AzureClientsTests : IDisposable
{
    private const int Limit = 120_000;
    private const string Account = "UseDevelopmentStorage=true";

    private readonly HostBench bench = new HostBench().With(("Orders:ConnectionString", HostBench.HubConnection), ("Orders:EventHubName", "hub"));

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory(Timeout = Limit)]
    [InlineData("container by key")]
    [InlineData("account by key")]
    [InlineData("account")]
    public async Task Checkpoints_and_dead_letters_are_written_with_the_clients_of_the_services(string registered)
    {
        var options = new EmulatorOptions { Entities = EntitySet.Default with { Hubs = [new HubSettings("hub") { Partitions = 1 }] } };
        await using var emulator = await EmulatorHost.StartAsync(options, Cancellation);
        var storage = new BlobServiceClient(emulator.Settings["STORAGE_CONNECTION_STRING"]);
        var positions = storage.GetBlobContainerClient("positions");
        await positions.CreateAsync(cancellationToken: Cancellation);
        await using (var producer = new EventHubProducerClient(emulator.Settings["EVENTHUB_CONNECTION_STRING"], "hub"))
        {
            await producer.SendAsync([new EventData("good"), new EventData("bad"), new EventData("good")], Cancellation);
        }

        var application = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        application.Configuration.AddInMemoryCollection([new("Orders:EventHubName", "hub"), new("Orders:OnPoison", "DeadLetter")]);
        var handled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        application
            .Services.AddEventHubProcessing("orders")
            .Configure(orders =>
            {
                orders.ConnectionString = emulator.Settings["EVENTHUB_CONNECTION_STRING"];
                orders.CheckpointContainer = registered == "container by key" ? null : "positions";
            })
            .Handle(
                (received, _) =>
                {
                    if (received.SequenceNumber == 2)
                    {
                        handled.TrySetResult();
                    }

                    return received.SequenceNumber == 1 ? throw new MessagingException(FailureKind.Permanent, "no such order") : ValueTask.CompletedTask;
                }
            );
        _ = registered switch
        {
            "container by key" => application.Services.AddKeyedSingleton("orders", positions),
            "account by key" => application.Services.AddKeyedSingleton("orders", storage).AddSingleton(new BlobServiceClient(Account)),
            _ => application.Services.AddSingleton(storage),
        };
        using var host = application.Build();

        await host.StartAsync(Cancellation);
        await handled.Task.WaitAsync(Cancellation);
        await host.StopAsync(Cancellation);

        var checkpoint = Assert.Single(positions.GetBlobs(BlobTraits.None, BlobStates.None, "127.0.0.1/hub/$default/checkpoint/", Cancellation));
        var properties = await positions.GetBlobClient(checkpoint.Name).GetPropertiesAsync(cancellationToken: Cancellation);
        Assert.Equal("2", properties.Value.Metadata["sequencenumber"]);
        Assert.Single(storage.GetBlobContainerClient("deadletters").GetBlobs(BlobTraits.None, BlobStates.None, null, Cancellation));
    }

    [Fact]
    public void Clients_registered_under_the_name_come_first()
    {
        var (own, others, everyones) = (new NoCredential(), new NoCredential(), new NoCredential());
        bench.Application.Services.AddKeyedSingleton<TokenCredential>("orders", own).AddKeyedSingleton<TokenCredential>("others", others);
        bench.Application.Services.AddSingleton<TokenCredential>(everyones).AddSingleton(new BlobServiceClient(Account));

        Assert.Same(own, GetPlan().Azure.Credential);
    }

    [Fact]
    public void Clients_without_a_key_are_used_except_for_a_container()
    {
        var (credential, account) = (new NoCredential(), new BlobServiceClient(Account));
        bench.Application.Services.AddSingleton<TokenCredential>(credential).AddSingleton(account).AddSingleton(new BlobContainerClient(Account, "any"));

        var azure = GetPlan().Azure;

        Assert.Same(credential, azure.Credential);
        Assert.Same(account, azure.Storage);
        Assert.Null(azure.Checkpoints);
    }

    [Fact]
    public void A_container_beside_an_account_of_the_section_is_refused()
    {
        bench.With(("Orders:StorageConnectionString", HostBench.StorageConnection), ("Orders:CheckpointContainer", "positions"));
        bench.Application.Services.AddKeyedSingleton("orders", new BlobContainerClient(Account, "mine"));

        var refused = Assert.Throws<OptionsValidationException>(GetPlan);

        Assert.Equal(
            [
                "Orders:StorageConnectionString: set together with the BlobContainerClient of the services, choose one",
                "Orders:CheckpointContainer: set together with the BlobContainerClient of the services, choose one",
            ],
            refused.Failures
        );
    }

    [Fact]
    public void The_dead_letters_have_another_container_than_the_checkpoints()
    {
        bench.Application.Services.AddKeyedSingleton("orders", new BlobContainerClient(Account, "deadletters"));

        Assert.Equal(
            ["Orders:CheckpointContainer and DeadLetterContainer: both 'deadletters', must be different containers"],
            Assert.Throws<OptionsValidationException>(GetPlan).Failures
        );
    }

    [Fact]
    public void Other_clients_than_the_official_ones_take_none_and_need_a_key()
    {
        bench.With(("Orders:ConnectionString", ""), ("Orders:FullyQualifiedNamespace", "contoso.servicebus.windows.net"));
        bench.With(("Orders:StorageConnectionString", HostBench.StorageConnection));
        bench.Application.Services.AddSingleton<TokenCredential>(new NoCredential());

        var refused = Assert.Throws<OptionsValidationException>(() => GetPlan(static orders => orders.UseClients(ClientFamily.BuiltIn)));

        Assert.Equal(["Orders: the clients 'builtin' need a connection string for each service"], refused.Failures);
    }

    [Fact]
    public void An_address_of_a_container_needs_no_account()
    {
        bench.With(("Orders:CheckpointContainer", "https://contoso.blob.core.windows.net/positions"));

        var settings = GetPlan().Settings;

        Assert.Equal(("https://contoso.blob.core.windows.net/", "positions"), (settings.Storage?.BlobEndpoint.AbsoluteUri, settings.CheckpointContainer));
    }

    public void Dispose() => bench.Dispose();

    private HostedPlan GetPlan() => GetPlan(static _ => { });

    private HostedPlan GetPlan(Action<EventHubProcessingBuilder> configure)
    {
        var builder = bench.Application.Services.AddEventHubProcessing("orders", bench.Application.Configuration.GetSection("Orders"));
        configure(builder.Handle((_, _) => ValueTask.CompletedTask));
        using var host = bench.Build();
        var registration = Assert.Single(host.Services.GetServices<ProcessingRegistration>());
        return new PlanReader(registration, host.Services).Require(host.Services.GetRequiredService<IOptionsMonitor<EventHubHostingOptions>>().Get("orders"));
    }

    private sealed class NoCredential : TokenCredential
    {
        public override AccessToken GetToken(TokenRequestContext requestContext, CancellationToken cancellationToken) => throw new NotSupportedException();

        public override ValueTask<AccessToken> GetTokenAsync(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            throw new NotSupportedException();
    }
}
