using System.IO.Pipelines;

namespace EventHubThroughput.Metrics;

/// <summary>Writes what a scrape gets, in the format of <see cref="TextFormat.ContentType"/>, and flushes it.</summary>
/// <param name="output">The answer's body.</param>
/// <param name="cancellationToken">Cancelled when nobody waits for it any more.</param>
public delegate Task MetricsText(PipeWriter output, CancellationToken cancellationToken);
