using Azure.Core;
using Azure.Messaging.ServiceBus;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Azure.Auth;
using EventHubThroughput.Clients.Azure.Lifetime;
using EventHubThroughput.Clients.ServiceBus;

namespace EventHubThroughput.Clients.Azure.ServiceBus;

/// <summary>A Service Bus namespace: one client and connection, which its senders and receivers share.</summary>
internal sealed class ServiceBusNamespace : IAsyncDisposable
{
    private readonly ServiceBusClient client;
    private readonly ServiceBusFailures failures;
    private readonly Action<OperationStep>? observer;

    /// <param name="service">The namespace. Its key is null when <paramref name="credential"/> is used.</param>
    /// <param name="transport">What carries AMQP.</param>
    /// <param name="credential">The Entra ID credential, or null.</param>
    /// <param name="options">Retries and observers.</param>
    public ServiceBusNamespace(MessagingConnectionString service, MessagingTransport transport, TokenCredential? credential, ClientOptions options)
    {
        var retry = options.Writes ?? options.Retry;
        var sdk = new ServiceBusClientOptions()
        {
            TransportType = transport == MessagingTransport.WebSockets ? ServiceBusTransportType.AmqpWebSockets : ServiceBusTransportType.AmqpTcp,
            CustomEndpointAddress = SdkConnectionString.GetEndpoint(service),

            // All of them explicit: the defaults would add three retries and a minute to each of ours.
            RetryOptions = new ServiceBusRetryOptions
            {
                Mode = ServiceBusRetryMode.Exponential,
                MaxRetries = retry.MaximumRetries,
                Delay = retry.FirstDelay,
                MaxDelay = retry.MaximumDelay,
                TryTimeout = retry.TryTimeout,
            },
        };
        client = credential is null ? new ServiceBusClient(SdkConnectionString.Of(service), sdk) : new ServiceBusClient(service.Host, credential, sdk);
        failures = new ServiceBusFailures($"{service.Host}:{transport.GetPort(service)}", retry, options.TimeProvider, options.Notice);
        observer = options.Observer;
    }

    public OfficialMessageSender CreateSender(string entity) => new OfficialMessageSender(client.CreateSender(entity), entity, failures, observer);

    public IMessageReceiver CreateReceiver(string entity, MessageReceiverOptions receiver)
    {
        OptionLimits.Require(receiver.Problems(), nameof(receiver));
        return new OfficialMessageReceiver(
            client.CreateReceiver(
                entity,
                new ServiceBusReceiverOptions
                {
                    PrefetchCount = receiver.Prefetch,
                    ReceiveMode = receiver.ReceiveAndDelete ? ServiceBusReceiveMode.ReceiveAndDelete : ServiceBusReceiveMode.PeekLock,
                }
            ),
            entity,
            failures
        );
    }

    public OfficialMessageProcessor CreateProcessor(string entity, int concurrency, Func<ReceivedMessage, CancellationToken, ValueTask> handler) =>
        new(
            client.CreateProcessor(
                entity,
                new ServiceBusProcessorOptions
                {
                    AutoCompleteMessages = false,
                    MaxConcurrentCalls = concurrency,
                    PrefetchCount = 0,
                }
            ),
            handler
        );

    public ValueTask DisposeAsync() => Closing.EndAsync(client.DisposeAsync);
}
