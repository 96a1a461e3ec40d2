using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Text.Json.Serialization;
using Azure.Messaging.EventHubs;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Processing.Azure.Tests;

/// <summary>The processor as a user makes it, on the official clients, over the wire to an emulator in this process.</summary>
public sealed partial class ConcurrentEventProcessorTests
{
    private const int Limit = 120_000;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private static ConcurrentEventProcessorOptions Quick { get; } =
        new()
        {
            BalancingInterval = TimeSpan.FromMilliseconds(100),
            OwnershipExpiry = TimeSpan.FromSeconds(10),
            Identifier = "one",
        };

    [Fact(Timeout = Limit)]
    public async Task Every_event_is_handled_and_the_checkpoints_are_in_the_given_container_in_the_layout_of_an_EventProcessorClient()
    {
        await using var services = await AzureServices.StartAsync(Token, partitions: 2);
        await services.SendAsync(30, Token, "0");
        await services.SendAsync(20, Token, "1");
        await using var processor = new ConcurrentEventProcessor(
            services.Checkpoints,
            "$Default",
            services.ConnectionString,
            AzureServices.Hub,
            services.HandleAsync,
            Quick
        );

        var result = await services.RunAsync(processor, until: 50, Token);

        result.ThrowIfFaulted();
        Assert.Equal(ProcessingEnd.Stopped, result.End);
        Assert.Equal(50, services.Handled.Distinct().Count());
        Assert.Equal("29", (await services.CheckpointAsync(Token, "0"))["sequencenumber"]);
        var checkpoint = await services.CheckpointAsync(Token, "1");
        Assert.Equal(["clientidentifier", "offset", "sequencenumber"], checkpoint.Keys.Order());
        Assert.Equal(("one", "19"), (checkpoint["clientidentifier"], checkpoint["sequencenumber"]));
    }

    [Fact(Timeout = Limit)]
    public async Task Processing_starts_after_a_checkpoint_that_an_EventProcessorClient_has_stored()
    {
        await using var services = await AzureServices.StartAsync(Token);
        await services.SendAsync(10, Token);
        await services.StoreCheckpointAsync(6, Token);
        await using var processor = Of(services);

        (await services.RunAsync(processor, until: 3, Token)).ThrowIfFaulted();

        Assert.Equal(["0/7", "0/8", "0/9"], services.Handled.Order());
        Assert.Equal("9", (await services.CheckpointAsync(Token))["sequencenumber"]);
    }

    [Fact(Timeout = Limit)]
    public async Task The_event_hub_may_be_named_by_the_EntityPath_of_the_connection_string()
    {
        await using var services = await AzureServices.StartAsync(Token);
        await services.SendAsync(5, Token);
        var connectionString = $"{services.ConnectionString};EntityPath={AzureServices.Hub}";
        await using var processor = new ConcurrentEventProcessor(services.Checkpoints, "$Default", connectionString, services.HandleAsync, Quick);

        (await services.RunAsync(processor, until: 5, Token)).ThrowIfFaulted();

        Assert.Equal(5, services.Handled.Count);
    }

    [Fact(Timeout = Limit)]
    public async Task A_refused_connection_is_reported_long_before_the_processor_gives_up()
    {
        using var refusing = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        refusing.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        await using var services = await AzureServices.StartAsync(Token);
        var noticed = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        var connectionString = $"Endpoint=sb://{refusing.LocalEndPoint};SharedAccessKeyName=k;SharedAccessKey=a2V5;UseDevelopmentEmulator=true";
        var options = Quick with { Notice = line => noticed.TrySetResult(line) };
        await using var processor = new ConcurrentEventProcessor(
            services.Checkpoints,
            "$Default",
            connectionString,
            AzureServices.Hub,
            services.HandleAsync,
            options
        );
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(Token);

        var running = processor.RunAsync(stop.Token);
        var line = await noticed.Task;
        await stop.CancelAsync();

        Assert.Equal($"connection refused by {refusing.LocalEndPoint}, retrying for 60 s. Is the emulator running?", line);
        Assert.Equal(ProcessingEnd.Stopped, (await running).End);
    }

    [Fact(Timeout = Limit)]
    public async Task Connections_take_the_transport_of_the_options()
    {
        await using var services = await AzureServices.StartAsync(Token);
        await services.SendAsync(5, Token);
        var options = Quick with { ConnectionOptions = new EventHubConnectionOptions { TransportType = EventHubsTransportType.AmqpWebSockets } };
        await using var processor = Of(services, options);

        (await services.RunAsync(processor, until: 5, Token)).ThrowIfFaulted();

        Assert.Equal(5, services.Handled.Count);
    }

    [Fact(Timeout = Limit)]
    public async Task Sinks_take_the_place_of_a_handler()
    {
        await using var services = await AzureServices.StartAsync(Token);
        await services.SendAsync(3, Token);
        var numbers = new ConcurrentQueue<int>();
        var typed = SinkDescriptor.Of(
            (EventContext<Numbered> context, CancellationToken _) =>
            {
                numbers.Enqueue(context.Value.Number);
                services.Note(context.Event);
                return ValueTask.CompletedTask;
            },
            NumberedJson.Default.Numbered
        );
        await using var processor = new ConcurrentEventProcessor(
            services.Checkpoints,
            "$Default",
            services.ConnectionString,
            AzureServices.Hub,
            [typed],
            Quick
        );

        (await services.RunAsync(processor, until: 3, Token)).ThrowIfFaulted();

        Assert.Equal([0, 1, 2], numbers.Order());
    }

    [Fact(Timeout = Limit)]
    public async Task Events_that_fail_for_good_go_to_the_container_of_the_dead_letters_the_checkpoint_passes_them_and_a_redrive_hands_them_over()
    {
        await using var services = await AzureServices.StartAsync(Token);
        await services.SendAsync(4, Token);
        var options = Quick with { OnPoison = PoisonPolicy.DeadLetter, DeadLetters = services.DeadLetters };
        await using var processor = new ConcurrentEventProcessor(
            services.Checkpoints,
            "$Default",
            services.ConnectionString,
            AzureServices.Hub,
            (received, _) =>
            {
                services.Note(received);
                return received.SequenceNumber == 2 ? throw new MessagingException(FailureKind.Permanent, "no such order") : ValueTask.CompletedTask;
            },
            options
        );

        (await services.RunAsync(processor, until: 4, Token)).ThrowIfFaulted();

        var letter = Assert.Single(await services.DeadLetters.GetBlobsAsync(cancellationToken: Token).ToListAsync(Token));
        Assert.EndsWith("2", letter.Name, StringComparison.Ordinal);
        Assert.Equal("3", (await services.CheckpointAsync(Token))["sequencenumber"]);

        services.Handled.Clear();
        await using var redrive = ConcurrentEventProcessor.CreateRedrive(services.DeadLetters, AzureServices.Hub, services.HandleAsync);
        Assert.Equal(1, (await redrive.RunAsync(Token)).Redriven);
        Assert.Equal(["0/2"], services.Handled);
        Assert.Empty(await services.DeadLetters.GetBlobsAsync(cancellationToken: Token).ToListAsync(Token));
    }

    [Fact(Timeout = Limit)]
    public async Task A_handler_that_fails_for_good_ends_the_run_with_its_exception_and_the_position_stays_before_the_event()
    {
        await using var services = await AzureServices.StartAsync(Token);
        await services.SendAsync(4, Token);
        var thrown = new MessagingException(FailureKind.Permanent, "no such order");
        await using var processor = new ConcurrentEventProcessor(
            services.Checkpoints,
            "$Default",
            services.ConnectionString,
            AzureServices.Hub,
            (received, _) => received.SequenceNumber == 2 ? throw thrown : ValueTask.CompletedTask,
            Quick
        );

        var result = await processor.RunAsync(Token);

        Assert.Equal(ProcessingEnd.Faulted, result.End);
        Assert.Same(thrown, Assert.Throws<ProcessingFaultException>(result.ThrowIfFaulted).InnerException);
        Assert.Equal("1", (await services.CheckpointAsync(Token))["sequencenumber"]);
    }

    [Fact(Timeout = Limit)]
    public async Task A_container_that_does_not_exist_ends_the_run_with_a_fault_that_names_it()
    {
        await using var services = await AzureServices.StartAsync(Token);
        await using var processor = new ConcurrentEventProcessor(
            services.GetContainer("missing"),
            "$Default",
            services.ConnectionString,
            AzureServices.Hub,
            services.HandleAsync,
            Quick
        );

        var result = await processor.RunAsync(Token);

        Assert.Equal(ProcessingEnd.Faulted, result.End);
        Assert.Contains("container 'missing'", result.Faults[0].Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = Limit)]
    public async Task A_credential_is_asked_for_tokens_of_Event_Hubs_and_one_that_is_refused_ends_the_run()
    {
        await using var services = await AzureServices.StartAsync(Token, tlsPort: 0);
        var credential = new FixedCredential("not a token");
        var options = Quick with
        {
            ConnectionOptions = new EventHubConnectionOptions
            {
                CustomEndpointAddress = services.TlsEndpoint,
                CertificateValidationCallback = (_, presented, _, _) => services.IsCertificate(presented),
            },
        };
        await using var processor = new ConcurrentEventProcessor(
            services.Checkpoints,
            "$Default",
            "orders.servicebus.windows.net",
            AzureServices.Hub,
            credential,
            services.HandleAsync,
            options
        );

        var result = await processor.RunAsync(Token);

        Assert.Equal(["https://eventhubs.azure.net/.default"], credential.Scopes);
        var failure = Assert.IsType<MessagingException>(Assert.Throws<ProcessingFaultException>(result.ThrowIfFaulted).InnerException);
        Assert.Equal(FailureKind.Unauthorized, failure.Kind);
    }

    [Fact(Timeout = Limit)]
    public async Task Disposal_ends_a_run_and_leaves_the_given_clients_usable()
    {
        await using var services = await AzureServices.StartAsync(Token);
        await services.SendAsync(1, Token);
        var checkpoints = services.Checkpoints;
        var processor = new ConcurrentEventProcessor(checkpoints, "$Default", services.ConnectionString, AzureServices.Hub, services.HandleAsync, Quick);
        var running = processor.RunAsync(CancellationToken.None);

        await processor.DisposeAsync();
        await processor.DisposeAsync();

        Assert.Equal(ProcessingEnd.Stopped, (await running).End);
        Assert.True(await checkpoints.ExistsAsync(Token));
    }

    private static ConcurrentEventProcessor Of(AzureServices services, ConcurrentEventProcessorOptions? options = null) =>
        new(services.Checkpoints, "$Default", services.ConnectionString, AzureServices.Hub, services.HandleAsync, options ?? Quick);

    internal sealed record Numbered(int Number);

    [JsonSerializable(typeof(Numbered))]
    internal sealed partial class NumberedJson : JsonSerializerContext;
}
