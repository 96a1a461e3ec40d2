using System.Net;
using System.Text.Json.Nodes;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Settings;
using EventHubThroughput.Telemetry;
using EventHubThroughput.Telemetry.Serving;

namespace EventHubThroughput.Lab.Comparing;

/// <summary>
/// The metrics of the current cell at one address, with the label <c>comparison</c>. Prometheus finds it before the first cell. A cell serves metrics only if
/// something reads them, so that a comparison without a reader costs nothing.
/// </summary>
internal sealed class ServedCells : IAsyncDisposable
{
    /// <summary>The path of the current cell's metrics.</summary>
    public const string CellPath = "/metrics/cell";

    private const int MostBytes = 16 * 1024 * 1024;
    private static readonly TimeSpan MostLinger = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan ReadLimit = TimeSpan.FromSeconds(5);

    private readonly MetricsEndpoint endpoint;
    private readonly TargetList? list;
    private readonly MetricsOptions options;
    private readonly HttpClient http = new() { Timeout = ReadLimit, MaxResponseContentBufferSize = MostBytes };
    private volatile string? folder;
    private volatile bool isRead;

    private ServedCells(MetricsEndpoint endpoint, TargetList? list, MetricsOptions options, string comparison)
    {
        (this.endpoint, this.list, this.options) = (endpoint, list, options);
        endpoint.Serve(CellPath, ReadAsync);
        list?.Write(
            new ScrapeTarget(endpoint.Reachable, "consumer", CellPath)
            {
                Labels = new Dictionary<string, string>(StringComparer.Ordinal) { ["comparison"] = comparison },
            }
        );
    }

    /// <summary>Serves and lists the metrics of a comparison.</summary>
    /// <exception cref="FailureException">The requested port is in use.</exception>
    public static async Task<ServedCells> StartAsync(string comparison, MetricsOptions options, Action<string> notice, CancellationToken cancellationToken)
    {
        var started = await MetricsEndpoint.StartAsync(new MetricRegistry(), new MetricsEndpointOptions(options.Address, options.Port ?? 0), cancellationToken);
        notice($"metrics: {started.Address.GetLeftPart(UriPartial.Authority)}{CellPath}");
        try
        {
            return new ServedCells(started, options.Targets is { } targets ? TargetList.Create(targets, "compare") : null, options, comparison);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            notice($"metrics: not listed for Prometheus: {exception.Message}");
            return new ServedCells(started, null, options, comparison);
        }
    }

    /// <summary>How the next cell serves its metrics. Null if nothing has read them or the target list.</summary>
    /// <param name="own">The folder in which this cell lists itself. It is only for this cell.</param>
    public MetricsOptions? GetOptions(string own)
    {
        if (!isRead && list?.WasRead != true)
        {
            folder = null;
            return null;
        }

        folder = own;
        return new MetricsOptions(IPAddress.Loopback, 0, options.Linger < MostLinger ? options.Linger : MostLinger) { Targets = own };
    }

    public async ValueTask DisposeAsync()
    {
        list?.Dispose();
        http.Dispose();
        await endpoint.DisposeAsync();
    }

    private async Task<ReadOnlyMemory<byte>> ReadAsync(CancellationToken cancellationToken)
    {
        isRead = true;
        try
        {
            return await http.GetByteArrayAsync(new Uri($"http://{GetAddress() ?? throw NoCell()}/metrics"), cancellationToken);
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException || IsTimeOut(exception, cancellationToken))
        {
            throw NoCell(exception);
        }
    }

    // The cell lists itself while it serves.
    private string? GetAddress() =>
        folder is { } own && Directory.Exists(own) && Directory.EnumerateFiles(own, "*.json").FirstOrDefault() is { } file
            ? (string?)JsonNode.Parse(File.ReadAllText(file))?[0]?["targets"]?[0]
            : null;

    private static bool IsTimeOut(Exception exception, CancellationToken cancellationToken) =>
        exception is OperationCanceledException && !cancellationToken.IsCancellationRequested;

    private static FailureException NoCell(Exception? cause = null) => new(FailureCause.Dependency, "no cell serves metrics at this moment", cause);
}
