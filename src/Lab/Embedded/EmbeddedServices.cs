using System.Collections.ObjectModel;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Workload;

namespace EventHubThroughput.Lab.Embedded;

/// <summary>An emulator with a filled hub, for one run: started, filled, watched, ended.</summary>
internal sealed class EmbeddedServices : IAsyncDisposable
{
    private const string Topic = "topic";

    /// <summary>The subscription of a run's topic, where there is one.</summary>
    public const string Subscription = "all";

    private readonly EmbeddedFolder folder;
    private readonly EmbeddedEmulator emulator;
    private readonly EmulatorAdministration scraping;

    // Null when the hub was filled before the run.
    private readonly Func<ChildProcess>? send;
    private ChildProcess? sending;
    private bool ending;

    private EmbeddedServices(EmbeddedFolder folder, EmbeddedEmulator emulator, MessagingSettings settings, ProcessUsage? sender, Func<ChildProcess>? send)
    {
        this.send = send;
        this.folder = folder;
        this.emulator = emulator;
        scraping = new EmulatorAdministration(emulator.Settings);
        Settings = settings;
        Sender = sender;
    }

    public MessagingSettings Settings { get; }

    /// <summary>The same as environment variables, for a consumer that is started beside this one.</summary>
    public IReadOnlyDictionary<string, string> Variables => emulator.Settings;

    /// <summary>What the sender used to fill the hub. Null when it ended before it was read.</summary>
    public ProcessUsage? Sender { get; }

    public System.Diagnostics.Process Process => emulator.Process.Process;

    /// <summary>Where ledger and journal are, and room for further files of the run.</summary>
    public string Folder => folder.Path;

    public string Ledger => folder.Ledger;

    public string Journal => folder.Journal;

    public static async Task<EmbeddedServices> StartAsync(string run, LoadOptions options, TimeProvider timeProvider, CancellationToken cancellationToken)
    {
        var files = EmbeddedFolder.Create(options.Keep);
        var log = options.Log?.Variables ?? ReadOnlyDictionary<string, string>.Empty;
        try
        {
            var demand = EmbeddedDemand.Of(options);
            demand.EnsureRoom(options, files.Path);
            var load = EmbeddedLoad.Of(options);
            await using var waiting = load.Rate is null ? EmbeddedSender.StartWaiting(run, load, files.Ledger, log, timeProvider) : null;
            var service = await EmbeddedEmulator.StartAsync(
                options.Partitions,
                options.Profile,
                options.Faults,
                options.Groups,
                files,
                demand.MemoryMebibytes,
                log,
                options.StartLimit,
                timeProvider,
                cancellationToken
            );
            try
            {
                using var administration = new EmulatorAdministration(service.Settings);
                await (options.Topic ? administration.CreateTopicAsync(Topic, Subscription, cancellationToken) : Task.CompletedTask);
                await (options.Faults is null ? Task.CompletedTask : administration.HoldFaultsAsync(cancellationToken));
                Dictionary<string, string> environment = new([.. service.Settings, .. log], StringComparer.Ordinal);
                var sender = waiting is null ? null : await EmbeddedSender.FillAsync(waiting, service.Settings, timeProvider, cancellationToken);
                await (options.Faults is { } asked ? administration.ArmFaultsAsync(asked, cancellationToken) : Task.CompletedTask);
                var settings = GetSettings(service, options.Topic ? Topic : null);
                Func<ChildProcess>? start = load.Rate is null ? null : () => EmbeddedSender.Start(run, load, files.Ledger, environment, timeProvider);
                return new EmbeddedServices(files, service, settings, sender, start);
            }
            catch
            {
                await service.DisposeAsync();
                throw;
            }
        }
        catch
        {
            files.Dispose();
            throw;
        }
    }

    /// <summary>Reports an emulator that ends before it was asked to.</summary>
    public async Task WatchAsync(Func<string, Task> failed, CancellationToken ended)
    {
        try
        {
            await emulator.Process.Ended.WaitAsync(ended);
        }
        catch (OperationCanceledException) when (ended.IsCancellationRequested)
        {
            return;
        }

        if (!ending)
        {
            await failed($"emulator ended during the run with code {emulator.Process.ExitCode}: {await emulator.Process.LastErrorAsync()}");
        }
    }

    /// <summary>Starts the sender that runs beside the consumer. Only where there is a rate.</summary>
    public void StartSending() => sending = send!();

    /// <summary>Waits until the sender beside the run has sent everything.</summary>
    /// <exception cref="FailureException">It has failed.</exception>
    public async Task UntilSentAsync(CancellationToken cancellationToken) => Sent = await EmbeddedSender.WaitAsync(sending!, cancellationToken);

    /// <summary>What the sender that ran beside the run reports. Null where there was none, or it still sends.</summary>
    public SentFigures? Sent { get; private set; }

    /// <summary>Stops the sender beside the run. Its ledger is whole then.</summary>
    public async Task StopSendingAsync(CancellationToken cancellationToken)
    {
        if (sending is not null && Sent is null)
        {
            Sent = sending.Ended.IsCompleted
                ? await EmbeddedSender.WaitAsync(sending, cancellationToken)
                : await EmbeddedSender.StopAsync(sending, cancellationToken);
        }
    }

    /// <summary>Which latencies the emulator was asked for and which it kept. Empty if it has ended.</summary>
    public async Task<IReadOnlyList<InjectedLatency>> ReadLatenciesAsync(CancellationToken cancellationToken)
    {
        using var administration = new EmulatorAdministration(emulator.Settings);
        return await administration.ReadLatenciesAsync(cancellationToken);
    }

    /// <summary>Reads the emulator's own metrics in the form of Prometheus.</summary>
    public Task<ReadOnlyMemory<byte>> ReadMetricsAsync(CancellationToken cancellationToken) => scraping.ReadMetricsAsync(cancellationToken);

    /// <summary>Removes the emulator's latencies and faults, so that its content can be read.</summary>
    public async Task CalmAsync(CancellationToken cancellationToken)
    {
        using var administration = new EmulatorAdministration(emulator.Settings);
        await administration.CalmAsync(cancellationToken);
    }

    /// <summary>Ends the emulator. Its journal is whole then.</summary>
    public async Task EndAsync()
    {
        ending = true;
        await emulator.Process.EndAsync();
    }

    public async ValueTask DisposeAsync()
    {
        ending = true;
        await (sending?.DisposeAsync() ?? ValueTask.CompletedTask);
        scraping.Dispose();
        await emulator.DisposeAsync();
        folder.Dispose();
    }

    private static MessagingSettings GetSettings(EmbeddedEmulator service, string? topic)
    {
        // Settings that the emulator does not report, such as the transport of AMQP, come from the environment of this process.
        var result = MessagingSettings.FromEnvironment(
            name => service.Settings.GetValueOrDefault(name) ?? Environment.GetEnvironmentVariable(name),
            SettingsScope.Consumer
        );
        var settings =
            result.Settings ?? throw new FailureException(FailureCause.Dependency, $"emulator printed unusable settings: {string.Join("; ", result.Problems)}");
        return topic is null ? settings : settings with { Queue = null, Topic = topic };
    }
}
