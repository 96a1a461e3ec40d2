using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Hosting.Health;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Telemetry;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Log = EventHubThroughput.Pump.Logs.Log;

namespace EventHubThroughput.Hosting;

/// <summary>One processing for as long as the host runs.</summary>
/// <param name="registration">Its registration.</param>
/// <param name="plans">Creates its plan.</param>
/// <param name="monitor">Has its options. They are read after the host has validated the options of all processings.</param>
/// <param name="state">Receives the state, for the health check.</param>
/// <param name="instruments">The instruments of all processings of the host.</param>
/// <param name="loggers">Creates the loggers of processing and clients.</param>
internal sealed class HostedProcessing(
    ProcessingRegistration registration,
    PlanReader plans,
    IOptionsMonitor<EventHubHostingOptions> monitor,
    ProcessingState state,
    ProcessingInstruments instruments,
    ILoggerFactory loggers
) : BackgroundService
{
    private static readonly Func<ILogger, string, string, string, IDisposable?> Scope = LoggerMessage.DefineScope<string, string, string>(
        "processing {Processing}: {EventHub} in {ConsumerGroup}"
    );

    private readonly ILogger logger = loggers.CreateLogger(Log.Category);

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var options = monitor.Get(registration.Name);
        var plan = plans.Require(options);
        var settings = plan.Settings;

        // The scope of every line of this processing, those of the clients too: two processings may have the same hub and partitions.
        using var scope = Scope(logger, registration.Name, settings.EventHubName, settings.ConsumerGroup);
        try
        {
            var result = await RunAsync(plan, stoppingToken).ConfigureAwait(false);
            result.ThrowIfFaulted();
        }
        catch (Exception failure)
        {
            // The host logs it as well and stops, depending on its options. It would end the process with 0.
            state.Fail(failure.Message);
            Log.Failed(logger, settings.EventHubName, failure.Message, failure is ProcessingFaultException ? null : failure);
            if (options.ExitCodeOnFault is { } code)
            {
                Environment.ExitCode = code;
            }

            throw;
        }
    }

    private async Task<ProcessingResult> RunAsync(HostedPlan plan, CancellationToken stoppingToken)
    {
        var inner = plan.Processing;
        void Notice(string line)
        {
            Log.Noticed(logger, line);
            inner.Notice?.Invoke(line);
        }

        using var telemetry = new ProcessingTelemetry(plan.Settings, instruments);
        var processing = inner with
        {
            Observers = partition => [new OwnershipObserver(state), .. telemetry.ObserversOf(partition), .. inner.Observers(partition)],
        };
        var clientOptions = new ClientOptions
        {
            Writes = inner.ClientWrites,
            LoggerFactory = inner.LoggerFactory,
            TimeProvider = inner.TimeProvider,
            Notice = Notice,
        };
        var clients = registration.Clients?.Connect(plan.Settings, clientOptions) ?? new OfficialClients(plan.Settings, clientOptions, plan.Azure);
        await using var closing = clients.ConfigureAwait(false);
        var source = EventHubProcessing.GetSource(clients, plan.Settings, processing);
        var context = SinkContext.From(clients, plan.Settings) with { Blobs = clients };
        var run = new EventHubProcessing(source, context, processing, [.. plan.Sinks.Select(telemetry.Trace)]);
        await using var ending = run.ConfigureAwait(false);
        state.Start(run);
        return await run.RunAsync(stoppingToken).ConfigureAwait(false);
    }

    // Maintains the count of ownerships for the health check.
    private sealed class OwnershipObserver(ProcessingState state) : PartitionObserver
    {
        public override void Opened(IPartitionLoad load, EventPosition? startedFrom) => state.Taken();

        public override void Closed(bool lost) => state.Ended();
    }
}
