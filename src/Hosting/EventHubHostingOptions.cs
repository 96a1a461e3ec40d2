using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Hosting;

/// <summary>
/// The options of one processing of a host, by its name. A configuration section sets the properties by their names. A time is text such as <c>00:00:30</c>.
/// All of them are validated when the host starts. <see cref="EventHubProcessingBuilder.ChangeProcessing"/> sets options that a configuration cannot
/// represent.
/// </summary>
public sealed class EventHubHostingOptions
{
    private static readonly ProcessingOptions Defaults = new();

    /// <summary>
    /// The connection string of the event hub or its namespace, or the name of one among <c>ConnectionStrings</c> of the configuration. Null, the default,
    /// needs <see cref="FullyQualifiedNamespace"/>.
    /// </summary>
    public string? ConnectionString { get; set; }

    /// <summary>
    /// The namespace, such as <c>contoso.servicebus.windows.net</c>. The <c>TokenCredential</c> of the services provides the tokens, or
    /// <c>DefaultAzureCredential</c> if the services have none. Default null.
    /// </summary>
    public string? FullyQualifiedNamespace { get; set; }

    /// <summary>The event hub. Null, the default, uses <c>EntityPath</c> of the connection string.</summary>
    public string? EventHubName { get; set; }

    /// <summary>The consumer group. Default <c>$Default</c>.</summary>
    public string ConsumerGroup { get; set; } = "$Default";

    /// <summary>What carries AMQP. By default the socket itself.</summary>
    public MessagingTransport Transport { get; set; }

    /// <summary>
    /// The connection string of the storage account, or the name of one among <c>ConnectionStrings</c> of the configuration. Null, the default, needs an
    /// address as <see cref="CheckpointContainer"/>, or a <c>BlobServiceClient</c> or <c>BlobContainerClient</c> of the services.
    /// </summary>
    public string? StorageConnectionString { get; set; }

    /// <summary>
    /// The container of ownerships and checkpoints, by its name or by its address (<c>https://contoso.blob.core.windows.net/checkpoints</c>), for which the
    /// credential of <see cref="FullyQualifiedNamespace"/> is used. Null, the default, is <c>checkpoints</c>.
    /// </summary>
    public string? CheckpointContainer { get; set; }

    /// <summary>The container of the dead letters, in the account of the checkpoints. Default <c>deadletters</c>.</summary>
    public string DeadLetterContainer { get; set; } = "deadletters";

    /// <summary>The container of the sink <c>blob</c>, in the account of the checkpoints. Default <c>archive</c>.</summary>
    public string ArchiveContainer { get; set; } = "archive";

    /// <summary>The destination of the sink <c>servicebus</c>. Read only if there is such a sink.</summary>
    public ServiceBusHostingOptions ServiceBus { get; } = new();

    /// <summary>The name of the strategy: order and concurrency of the handlers. Default <c>combined</c>.</summary>
    public string Strategy { get; set; } = Defaults.Strategy.Name;

    /// <summary>The options of the strategy, by name. Others have their defaults.</summary>
    public Dictionary<string, int> StrategyOptions { get; } = new(StringComparer.Ordinal);

    /// <inheritdoc cref="ProcessingOptions.MaxConcurrency"/>
    public int MaxConcurrency { get; set; } = Defaults.MaxConcurrency;

    /// <inheritdoc cref="ProcessingOptions.BatchSize"/>
    public int BatchSize { get; set; } = Defaults.BatchSize;

    /// <inheritdoc cref="ProcessingOptions.Prefetch"/>
    public int Prefetch { get; set; } = Defaults.Prefetch;

    /// <inheritdoc cref="ProcessingOptions.Window"/>
    public int? Window { get; set; }

    /// <inheritdoc cref="ProcessingOptions.ReplayLimit"/>
    public int? ReplayLimit { get; set; }

    /// <inheritdoc cref="ProcessingOptions.Checkpoints"/>
    public CheckpointHostingOptions Checkpoints { get; } = new();

    /// <inheritdoc cref="ProcessingOptions.OnPoison"/>
    public PoisonPolicy OnPoison { get; set; } = Defaults.OnPoison;

    /// <inheritdoc cref="ProcessingOptions.Retries"/>
    public int Retries { get; set; } = Defaults.Retries;

    /// <inheritdoc cref="ProcessingOptions.OperationLimit"/>
    public TimeSpan OperationLimit { get; set; } = Defaults.OperationLimit;

    /// <inheritdoc cref="ProcessingOptions.DrainLimit"/>
    public TimeSpan DrainLimit { get; set; } = Defaults.DrainLimit;

    /// <inheritdoc cref="ProcessingOptions.DeliveryLimit"/>
    public TimeSpan? DeliveryLimit { get; set; }

    /// <summary>The name among the processors of the consumer group, 1 to 256 characters. Null, the default, is another name at each start.</summary>
    public string? Identifier { get; set; }

    /// <inheritdoc cref="ProcessingOptions.BalancingInterval"/>
    public TimeSpan BalancingInterval { get; set; } = Defaults.BalancingInterval;

    /// <inheritdoc cref="ProcessingOptions.OwnershipExpiry"/>
    public TimeSpan OwnershipExpiry { get; set; } = Defaults.OwnershipExpiry;

    /// <inheritdoc cref="ProcessingOptions.Balancing"/>
    public Balancing Balancing { get; set; } = Defaults.Balancing;

    /// <inheritdoc cref="ProcessingOptions.StartingPosition"/>
    public StartingPosition StartingPosition { get; set; } = Defaults.StartingPosition;

    /// <inheritdoc cref="ProcessingOptions.Fencing"/>
    public bool Fencing { get; set; } = Defaults.Fencing;

    /// <inheritdoc cref="ProcessingOptions.AcceptGaps"/>
    public bool AcceptGaps { get; set; } = Defaults.AcceptGaps;

    /// <summary>
    /// The exit code of the process after a fault, unless the program sets another one. Null does not set it. The host itself ends a program with 0 when a
    /// background service fails. Default 1.
    /// </summary>
    public int? ExitCodeOnFault { get; set; } = 1;

    /// <summary>Values of the configuration section that could not be read.</summary>
    internal List<string> Unread { get; } = [];
}
