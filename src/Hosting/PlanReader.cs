using EventHubThroughput.Clients.Azure;
using EventHubThroughput.Events;
using EventHubThroughput.Hosting.Configuration;
using EventHubThroughput.Hosting.Handling;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace EventHubThroughput.Hosting;

/// <summary>Creates the plan of one processing from its options, and finds all problems before anything is connected.</summary>
/// <param name="registration">The processing.</param>
/// <param name="services">The services of the host.</param>
internal sealed class PlanReader(ProcessingRegistration registration, IServiceProvider services) : IValidateOptions<EventHubHostingOptions>
{
    private static readonly GivenClients None = new();

    public ValidateOptionsResult Validate(string? name, EventHubHostingOptions options)
    {
        if (name != registration.Name)
        {
            return ValidateOptionsResult.Skip;
        }

        Read(options, out var problems);
        return problems.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(problems);
    }

    /// <summary>The plan of validated options.</summary>
    public HostedPlan Require(EventHubHostingOptions options) =>
        Read(options, out var problems) ?? throw new OptionsValidationException(registration.Name, typeof(EventHubHostingOptions), problems);

    private HostedPlan? Read(EventHubHostingOptions options, out IReadOnlyList<string> lines)
    {
        var problems = new ProblemList(registration.Path);
        lines = problems.Lines;
        problems.AddUnread(options.Unread);
        var processing = ReadProcessing(options, problems);
        var sinks = registration.Sinks.Describe(services);
        if (sinks.Count is 0 or > HostedSinks.Most)
        {
            problems.Add("", $" {Plural.Format(sinks.Count, "sink")}: allowed 1 to {HostedSinks.Most}, each from a call of Handle or WriteTo");
        }

        var azure = registration.Clients is null ? AzureClients.Find(services, registration.Name) : None;
        var reader = new ConnectionReader(options, azure, services.GetService<IConfiguration>(), problems);
        var settings = reader.Read(sinks.Any(static sink => sink.NeedsServiceBus));
        if (settings is not null && registration.Clients is { TakesEntraId: false } family && settings.ByEntraId.Any())
        {
            problems.Add("", $" the clients '{family.Name}' need a connection string for each service");
        }

        return lines.Count > 0 || settings is null
            ? null
            : new HostedPlan
            {
                Settings = settings,
                Azure = azure,
                Processing = processing,
                Sinks = sinks,
            };
    }

    private ProcessingOptions ReadProcessing(EventHubHostingOptions options, ProblemList problems)
    {
        problems.AddUndefined(nameof(options.Transport), options.Transport);
        problems.AddUndefined(nameof(options.OnPoison), options.OnPoison);
        problems.AddUndefined(nameof(options.Balancing), options.Balancing);
        problems.AddUndefined(nameof(options.StartingPosition), options.StartingPosition);
        var strategies = StrategyCatalog.Safe;
        var strategy = strategies.FirstOrDefault(known => known.Name == options.Strategy);
        if (strategy is null)
        {
            problems.Add(nameof(options.Strategy), $" '{options.Strategy}': unknown. Known: {string.Join(", ", strategies.Select(static one => one.Name))}");
        }

        var processing = new ProcessingOptions
        {
            MaxConcurrency = options.MaxConcurrency,
            BatchSize = options.BatchSize,
            Prefetch = options.Prefetch,
            Window = options.Window,
            ReplayLimit = options.ReplayLimit,
            Checkpoints = options.Checkpoints.ToCheckpoints(),
            OnPoison = options.OnPoison,
            Retries = options.Retries,
            OperationLimit = options.OperationLimit,
            DrainLimit = options.DrainLimit,
            DeliveryLimit = options.DeliveryLimit,
            BalancingInterval = options.BalancingInterval,
            OwnershipExpiry = options.OwnershipExpiry,
            Balancing = options.Balancing,
            StartingPosition = options.StartingPosition,
            Fencing = options.Fencing,
            AcceptGaps = options.AcceptGaps,
            LoggerFactory = services.GetService<ILoggerFactory>(),
            TimeProvider = services.GetRequiredService<TimeProvider>(),
        };
        processing = options.Identifier is { } identifier ? processing with { Identifier = identifier } : processing;
        processing = strategy is null ? processing : processing with { Strategy = strategy, StrategyOptions = options.StrategyOptions };
        processing = registration.Change(processing);
        foreach (var problem in processing.Problems())
        {
            problems.AddOption(problem);
        }

        return processing;
    }
}
