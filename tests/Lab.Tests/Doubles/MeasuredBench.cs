using System.Text;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Processing;
using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Telemetry;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Doubles;

/// <summary>The pump with the measuring of a run and its kill switch.</summary>
internal sealed class MeasuredBench : PumpBench
{
    private readonly RunMeasurement measurement;

    public MeasuredBench()
    {
        measurement = new RunMeasurement(Clock, emulator: null, TwoSinks.Stages);
        Metrics = new ConsumerMetrics(
            Registry,
            new RunOptions
            {
                Run = "run",
                Processing = new ProcessingOptions { Strategy = StrategyCatalog.Find("combined") with { Name = "x" } },
            },
            version: "1",
            1,
            measurement,
            Clock
        );
    }

    public MetricRegistry Registry { get; } = new();

    public ConsumerMetrics Metrics { get; }

    public KillSwitch KillSwitch { get; init; } = KillSwitch.Off;

    public RunFigures Figures => measurement.Finish();

    /// <summary>What Prometheus would read now.</summary>
    public async Task<string> ScrapeAsync() => Encoding.UTF8.GetString((await Registry.ScrapeAsync(TestContext.Current.CancellationToken)).Span);

    public override void Dispose()
    {
        measurement.Dispose();
        base.Dispose();
    }

    protected override IEnumerable<PartitionObserver> ObserversOf(string partition) =>
        [new PartitionMeters(partition, measurement, Metrics, Clock), .. KillSwitch.ObserversOf(["servicebus", "blob"])];
}
