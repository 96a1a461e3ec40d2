using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Running;

/// <summary>The file descriptors that a run needs. Without enough of them an arbitrary call fails later, so such a run is refused at the start.</summary>
internal static class Descriptors
{
    // Counted in a run: assemblies of the runtime take about 110. The rest is pipes, connections of Event Hubs, Service Bus and metrics,
    // ledger, journal and results.
    public const int BesideBlobs = 150;

    /// <summary>The descriptors that a run needs. Each event in flight may hold a connection to storage, up to the limit of the client.</summary>
    /// <param name="degree">Events in flight per partition.</param>
    /// <param name="partitions">Partitions that the run may own.</param>
    public static int Needed(int degree, int partitions) => BesideBlobs + (int)Math.Min((long)degree * partitions, BuiltInClients.MostBlobConnections);

    /// <summary>The reason why the run cannot be started, or null.</summary>
    public static string? GetProblem(int degree, int partitions, long limit) =>
        Needed(degree, partitions) is var needed && needed > limit ? $"degree {degree} needs about {needed} file descriptors, the limit is {limit}" : null;

    /// <summary>Throws if a run needs more descriptors than the process may have. If the system reports no limit, the run is not refused.</summary>
    public static void EnsureEnough(int degree, int partitions)
    {
        if (GetProblem(degree, partitions, DescriptorLimit.InForce) is { } problem)
        {
            throw new UsageException(problem);
        }
    }
}
