using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Running;

/// <summary>
/// How many file descriptors a run needs. Without enough of them a runtime fails at some call that nobody expects to fail, so a run
/// that would is refused.
/// </summary>
internal static class Descriptors
{
    // Counted in a run: the runtime's assemblies take about 110, its pipes, the connections of Event Hubs, Service Bus and metrics,
    // ledger, journal and results the rest.
    public const int BesideBlobs = 150;

    /// <summary>What a run needs: each event in flight may hold a connection to storage, of which the client has only so many.</summary>
    /// <param name="degree">Events in flight per partition.</param>
    /// <param name="partitions">Partitions that the run may own.</param>
    public static int Needed(int degree, int partitions) => BesideBlobs + (int)Math.Min((long)degree * partitions, BuiltInClients.MostBlobConnections);

    /// <summary>Why the run cannot be started, or null.</summary>
    public static string? ProblemOf(int degree, int partitions, long limit) =>
        Needed(degree, partitions) is var needed && needed > limit ? $"degree {degree} needs about {needed} file descriptors, the limit is {limit}" : null;

    /// <summary>Refuses a run that needs more than the process may have. Where the system does not say how many, none.</summary>
    public static void EnsureEnough(int degree, int partitions)
    {
        if (ProblemOf(degree, partitions, DescriptorLimit.InForce) is { } problem)
        {
            throw new UsageException(problem);
        }
    }
}
