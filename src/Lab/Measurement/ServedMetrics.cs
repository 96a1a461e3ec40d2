using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Telemetry;
using EventHubThroughput.Telemetry.Serving;

namespace EventHubThroughput.Lab.Measurement;

/// <summary>The metrics that a run serves to Prometheus, and their entry in the target list: its own, and those of an emulator that it has started.</summary>
internal sealed class ServedMetrics : IAsyncDisposable
{
    private const string EmulatorPath = "/metrics/emulator";
    private const int ScrapesAtTheEnd = 2;

    // Prometheus reports a new target to its scrapers within ten seconds.
    private static readonly TimeSpan Discovery = TimeSpan.FromSeconds(15);

    private readonly MetricsEndpoint endpoint;
    private readonly TargetList? list;
    private readonly ScrapeTarget own;
    private readonly RunOptions run;

    private ServedMetrics(MetricsEndpoint endpoint, TargetList? list, RunOptions run)
    {
        this.endpoint = endpoint;
        this.list = list;
        this.run = run;
        own = new ScrapeTarget(endpoint.Reachable, "consumer");
        list?.Write(own);
    }

    /// <summary>Serves the metrics, lists the address, and logs it.</summary>
    /// <exception cref="FailureException">The requested port is in use, or none of the default range is free.</exception>
    public static async Task<ServedMetrics> StartAsync(
        MetricRegistry registry,
        MetricsOptions options,
        RunOptions run,
        Action<string> notice,
        CancellationToken cancellationToken
    )
    {
        var served = await MetricsEndpoint.StartAsync(registry, new MetricsEndpointOptions(options.Address, options.Port), cancellationToken);
        notice($"metrics: {served.Address}metrics");
        try
        {
            return new ServedMetrics(served, options.Targets is { } folder ? TargetList.Create(folder, "consumer") : null, run);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            notice($"metrics: not listed for Prometheus: {exception.Message}");
            return new ServedMetrics(served, null, run);
        }
    }

    /// <summary>Serves and lists the emulator's metrics as well. After its end, the last ones are served.</summary>
    public void AddEmulator(Func<CancellationToken, Task<ReadOnlyMemory<byte>>> read)
    {
        ReadOnlyMemory<byte>? last = null;
        endpoint.Serve(
            EmulatorPath,
            async cancellationToken =>
            {
                try
                {
                    last = await read(cancellationToken);
                }
                catch (FailureException) when (last is not null)
                {
                    // It has ended with the events, before the last scrapes.
                }

                return last ?? throw new FailureException(FailureCause.Dependency, "the emulator has not reported yet");
            }
        );
        list?.Write(
            own,
            new ScrapeTarget(own.Address, "emulator", EmulatorPath)
            {
                Labels = new Dictionary<string, string>(StringComparer.Ordinal) { ["run"] = run.Run, ["strategy"] = run.Processing.Strategy.Name },
            }
        );
    }

    /// <summary>Events are taken from now on.</summary>
    public void MarkReady() => endpoint.MarkReady();

    /// <summary>The run is ending.</summary>
    public void MarkDraining() => endpoint.MarkDraining();

    /// <summary>Stays for two more scrapes if a scraper is active or about to be. Otherwise returns without waiting.</summary>
    /// <param name="linger">The longest wait.</param>
    /// <param name="notice">Receives a line about what is waited for.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Cancels it.</param>
    public async Task LingerAsync(TimeSpan linger, Action<string> notice, TimeProvider clock, CancellationToken cancellationToken)
    {
        var limit =
            endpoint.Scrapes > 0 ? linger
            : list?.WasRead != true ? TimeSpan.Zero
            : linger < Discovery ? linger
            : Discovery;
        if (limit > TimeSpan.Zero && !cancellationToken.IsCancellationRequested)
        {
            notice($"metrics: waiting for two scrapes of the last figures, at most {DurationText.Format(limit)} (--linger)");
            await endpoint.WaitForScrapesAsync(ScrapesAtTheEnd, limit, clock, cancellationToken);
        }
    }

    public async ValueTask DisposeAsync()
    {
        list?.Dispose();
        await endpoint.DisposeAsync();
    }
}
