using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Events;
using EventHubThroughput.Logging;
using EventHubThroughput.Processing.Lifetime;
using EventHubThroughput.Processing.Redriving;
using EventHubThroughput.Pump.Faults;
using EventHubThroughput.Pump.Lifetime;
using EventHubThroughput.Pump.Logs;
using EventHubThroughput.Strategies;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Processing;

/// <summary>
/// Writes dead letters again, each to the sinks that have refused it, and removes it when all of them have acknowledged. A dead letter is claimed before it
/// is written, so that two redrives do not write the same one. After a crash between write and removal it is written again, under the same names (sinks must
/// be safe to repeat). A processing of the same event hub may run in the meantime.
/// </summary>
/// <remarks>One run for each instance. Members may be called from any thread.</remarks>
public sealed class DeadLetterRedrive : IAsyncDisposable
{
    private readonly RedriveOptions options;
    private readonly ILoggerFactory loggers;
    private readonly ILogger log;
    private readonly ProcessingFaults faults;
    private readonly ProcessingStop stop;
    private readonly DeadLetterStore deadLetterStore;
    private readonly BuiltInClients? owned;
    private readonly SingleRun run = new("One instance redrives once. Create another one.");

    /// <summary>Creates a redrive over the clients of all services. Nothing is connected yet.</summary>
    /// <param name="clients">
    /// The clients, disposed of by the caller. They should try writes once (<see cref="ClientOptions.Writes"/>), because the redrive retries them.
    /// </param>
    /// <param name="settings">The event hub's name, storage, and Service Bus for sinks that need it.</param>
    /// <param name="options">The options.</param>
    /// <param name="sinks">The sinks of the processing that stored the dead letters, with the same names, 1 to 31.</param>
    /// <exception cref="InvalidOptionsException">The options conflict. The message names them and the valid values.</exception>
    /// <exception cref="InvalidOperationException">A sink needs a service that the settings do not name.</exception>
    public DeadLetterRedrive(IMessagingClients clients, MessagingSettings settings, RedriveOptions options, params IReadOnlyList<SinkDescriptor> sinks)
        : this(GetContainer(clients, settings), SinkContext.From(clients, settings), options, sinks) { }

    /// <summary>Creates a redrive over the container of the dead letters. Nothing is connected yet.</summary>
    /// <param name="deadLetters">The container of the dead letters.</param>
    /// <param name="context">The event hub, and clients for the sinks that need them.</param>
    /// <param name="options">The options.</param>
    /// <param name="sinks">The sinks of the processing that stored the dead letters, with the same names, 1 to 31.</param>
    /// <exception cref="InvalidOptionsException">The options conflict. The message names them and the valid values.</exception>
    /// <exception cref="InvalidOperationException">A sink needs a service that the context does not have.</exception>
    public DeadLetterRedrive(IBlobContainer deadLetters, SinkContext context, RedriveOptions options, params IReadOnlyList<SinkDescriptor> sinks)
    {
        ArgumentNullException.ThrowIfNull(deadLetters);
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(sinks);
        InvalidOptionsException.ThrowIfAny(options.Problems(), nameof(options));
        loggers = LimitedLoggerFactory.Over(options.LoggerFactory, options.TimeProvider);
        log = loggers.CreateLogger(Log.Category);
        this.options = options = options with
        {
            Step = GuardedCallback.Of(options.Step, nameof(options.Step), log),
            Notice = GuardedCallback.Of(options.Notice, nameof(options.Notice), log),
        };
        faults = new ProcessingFaults(log) { Mask = SecretText.Mask };
        stop = new ProcessingStop(options.DrainLimit, options.TimeProvider);
        Sinks = [.. sinks.Select(sink => sink.CreateIn(context))];
        deadLetterStore = new DeadLetterStore(deadLetters, context.EventHubName, options.RetryRule, options.TimeProvider);
    }

    private DeadLetterRedrive(BuiltInClients clients, MessagingSettings settings, RedriveOptions options, IReadOnlyList<SinkDescriptor> sinks)
        : this((IMessagingClients)clients, settings, options, sinks) => owned = clients;

    /// <summary>The sinks, in their places.</summary>
    public IReadOnlyList<ISink<ReceivedEvent>> Sinks { get; }

    /// <summary>Creates a redrive over the built-in clients, which it owns. Nothing is connected yet.</summary>
    /// <inheritdoc cref="DeadLetterRedrive(IMessagingClients, MessagingSettings, RedriveOptions, IReadOnlyList{SinkDescriptor})"/>
    public static DeadLetterRedrive Connect(MessagingSettings settings, RedriveOptions options, params IReadOnlyList<SinkDescriptor> sinks)
    {
        ArgumentNullException.ThrowIfNull(options);
        var clientOptions = new BuiltInClientOptions
        {
            Writes = RetryOptions.Once,
            TimeProvider = options.TimeProvider,
            Notice = options.Notice,
            LoggerFactory = options.LoggerFactory,
        };
        return new DeadLetterRedrive(new BuiltInClients(settings, clientOptions), settings, options, sinks);
    }

    /// <summary>Creates a redrive over the built-in clients for one handler.</summary>
    /// <param name="settings">The event hub's name and storage.</param>
    /// <param name="options">The options.</param>
    /// <param name="handler">Handles an event: completes when that is done, throws when it is not.</param>
    /// <exception cref="InvalidOptionsException">The options conflict. The message names them and the valid values.</exception>
    public static DeadLetterRedrive Connect(MessagingSettings settings, RedriveOptions options, Func<ReceivedEvent, CancellationToken, ValueTask> handler) =>
        Connect(settings, options, SinkDescriptor.Of(handler));

    /// <summary>Processes all dead letters of the event hub once.</summary>
    /// <param name="stoppingToken">Stops it: writes in flight are finished within the drain limit.</param>
    /// <returns>How it ended and what is left. A fault is a result, not an exception.</returns>
    public Task<RedriveResult> RunAsync(CancellationToken stoppingToken) =>
        SuspendedContext.Run((Redrive: this, stoppingToken), static one => one.Redrive.run.RunAsync(one.Redrive.RunOnceAsync, one.stoppingToken));

    private async Task<RedriveResult> RunOnceAsync(CancellationToken stoppingToken)
    {
        using var writes = new RedrivenWrites(Sinks, options.RetryRule, faults, log, options.TimeProvider);
        var pass = new RedrivePass(deadLetterStore, writes, options, stop, faults, stoppingToken);
        using var over = CancellationTokenSource.CreateLinkedTokenSource(stoppingToken);
        var stopping = StopAsync(over.Token);
        try
        {
            await (options.DryRun ? pass.LookAsync() : pass.RunAsync());
        }
        finally
        {
            await over.CancelOnSchedulerAsync();
            await stopping;
        }

        var left = await pass.SurveyAsync();
        return new RedriveResult
        {
            End =
                faults.All.Count > 0 ? ProcessingEnd.Faulted
                : stoppingToken.IsCancellationRequested && !pass.IsThrough ? ProcessingEnd.Stopped
                : ProcessingEnd.Drained,
            Faults = faults.All,
            Redriven = pass.Redriven,
            Refused = pass.Refused,
            Unreadable = pass.Unreadable,
            Left = left?.Left,
        };
    }

    /// <summary>
    /// Stops a run and waits for its end. Then it disposes of the sinks, and of the clients if it owns them: all of them, even if one throws. May be called
    /// again.
    /// </summary>
    public ValueTask DisposeAsync() =>
        SuspendedContext.Run(
            this,
            static one => one.run.DisposeAsync([.. one.Sinks, one.owned, one.stop, one.loggers == one.options.LoggerFactory ? null : one.loggers])
        );

    private static IBlobContainer GetContainer(IMessagingClients clients, MessagingSettings settings)
    {
        ArgumentNullException.ThrowIfNull(clients);
        ArgumentNullException.ThrowIfNull(settings);
        return clients.GetBlobContainer(settings.DeadLetterContainer);
    }

    // Ends with the run, or before it when a stop is requested.
    private async Task StopAsync(CancellationToken asked)
    {
        var waiting = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var registration = asked.UnsafeRegister(static source => ((TaskCompletionSource)source!).TrySetResult(), waiting);
        await waiting.Task;
        await stop.RequestAsync();
    }
}
