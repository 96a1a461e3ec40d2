using EventHubThroughput.Clients;
using EventHubThroughput.Clients.EventHubs;
using EventHubThroughput.Processing.Telemetry;
using EventHubThroughput.Pump.Logs;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace EventHubThroughput.Processing.Hosting;

/// <summary>Processes for as long as the host runs.</summary>
/// <param name="provider">The services of the host, for sinks.</param>
/// <param name="options">The options, which have been checked.</param>
/// <param name="hosted">Reads the connection settings.</param>
/// <param name="sinks">Where the events go.</param>
/// <param name="state">Told of how it goes.</param>
/// <param name="instruments">What is measured.</param>
/// <param name="loggers">Where every change of state is told, and what the clients have to say.</param>
internal sealed class HostedProcessing(
    IServiceProvider provider,
    IOptions<EventHubHostingOptions> options,
    HostedSettings hosted,
    HostedSinks sinks,
    ProcessingState state,
    ProcessingInstruments instruments,
    ILoggerFactory loggers
) : BackgroundService
{
    private readonly ILogger logger = loggers.CreateLogger(Log.Category);

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var chosen = options.Value;
        var settings = hosted.Read(chosen).Require();
        try
        {
            var result = await RunAsync(chosen, settings, stoppingToken);
            result.ThrowIfFaulted();
        }
        catch (Exception failure)
        {
            // The host logs it as well and stops, unless it was told not to; but it would end the process with 0.
            state.Fail(failure.Message);
            Log.Failed(logger, settings.EventHubName, failure.Message, failure is ProcessingFaultException ? null : failure);
            if (chosen.ExitCodeOnFault is { } code)
            {
                Environment.ExitCode = code;
            }

            throw;
        }
    }

    private async Task<ProcessingResult> RunAsync(EventHubHostingOptions chosen, MessagingSettings settings, CancellationToken stoppingToken)
    {
        var inner = chosen.Processing;
        void Notice(string line)
        {
            Log.Noticed(logger, line);
            inner.Notice?.Invoke(line);
        }

        using var telemetry = new ProcessingTelemetry(settings, instruments);
        var processing = inner with
        {
            LoggerFactory = inner.LoggerFactory ?? loggers,
            Observers = partition => [new OwnershipObserver(state), .. telemetry.ObserversOf(partition), .. inner.Observers(partition)],
        };
        await using var clients = chosen.Clients.Connect(
            settings,
            new ClientOptions
            {
                Writes = inner.ClientWrites,
                LoggerFactory = loggers,
                TimeProvider = inner.TimeProvider,
                Notice = Notice,
            }
        );
        await using var run = new EventHubProcessing(clients, settings, processing, [.. sinks.Describe(provider).Select(telemetry.Trace)]);
        state.Start(run);
        return await run.RunAsync(stoppingToken);
    }

    // Keeps the count of ownerships for the health check.
    private sealed class OwnershipObserver(ProcessingState state) : PartitionObserver
    {
        public override void Opened(IPartitionLoad load, EventPosition? startedFrom) => state.Taken();

        public override void Closed(bool lost) => state.Ended();
    }
}
