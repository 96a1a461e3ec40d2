using System.CommandLine;
using System.CommandLine.Parsing;
using System.Net;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>The options for the metrics endpoint and for how long it stays after the run.</summary>
internal sealed class MetricsArguments
{
    private readonly Option<int?> port = Options.OptionalInteger(
        "--metrics-port",
        "Port of /metrics, default the first free one of 9464 to 9471. 0 takes any free port",
        0,
        65_535
    );

    private readonly Option<string> host = Options.TextOr("--metrics-host", "Address on which metrics are served", "127.0.0.1", "ADDRESS");
    private readonly Option<bool> none = Options.Flag("--no-metrics", "Serve no metrics");
    private readonly Option<TimeSpan> linger = Options.Duration(
        "--linger",
        "If metrics were scraped, wait at most this long for two more scrapes",
        TimeSpan.FromSeconds(30),
        TimeSpan.Zero,
        TimeSpan.FromHours(1)
    );

    private readonly Option<string?> targets = Options.Text(
        "--metrics-targets",
        "Folder in which Prometheus finds this target (file_sd), default a common folder among the temporary files",
        "DIR"
    );

    public Option[] All => [port, host, none, linger, targets];

    /// <summary>Describes the options for a comparison, whose cells share one address.</summary>
    public void DescribeForCells()
    {
        port.Description = "Port of the current cell's metrics, default any free port";
        linger.Description = "If metrics were scraped, each cell waits at most this long for two more scrapes, up to 30s";
    }

    public void AddChecksTo(Command command)
    {
        command.Check(result => result.IsGiven(none) && result.IsGiven(port) ? $"{port.Name}: cannot be combined with {none.Name}" : null);
        command.Check(result => IPAddress.TryParse(result.GetValue(host), out _) ? null : $"{host.Name} '{result.GetValue(host)}': not an IP address");
    }

    /// <summary>The endpoint, or null if metrics are not served.</summary>
    public MetricsOptions? Read(CommandResult result) =>
        result.GetValue(none)
            ? null
            : new MetricsOptions(IPAddress.Parse(result.GetValue(host)!), result.GetValue(port), result.GetValue(linger))
            {
                Targets = result.GetValue(targets) ?? TargetList.UsualFolder,
            };
}
