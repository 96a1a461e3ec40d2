using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Emulator;

/// <summary>
/// How many connections each endpoint may hold, so that all of them together never use up the descriptors of the process: without one
/// more the runtime cannot even load its own code, and ends.
/// </summary>
/// <param name="Messaging">Of each of up to three ports for messaging. As many again are let in to be told why they cannot stay.</param>
/// <param name="Blobs">Of blobs, of which one client may hold many.</param>
/// <param name="Administration">Of the administration.</param>
internal readonly record struct DescriptorShare(int Messaging, int Blobs, int Administration)
{
    /// <summary>Below this an emulator is not started.</summary>
    public const int Least = 240;

    // Counted: about 125 before the first connection, and what is loaded with the first ones.
    private const int BesideConnections = 180;
    private const int Plenty = 2_048;
    private const int MessagingAnterooms = 3 * 64;

    /// <summary>The shares under the limit in force.</summary>
    public static DescriptorShare InForce { get; } = Of(DescriptorLimit.InForce);

    /// <param name="limit">Descriptors that the process may have.</param>
    public static DescriptorShare Of(long limit)
    {
        var left = (int)Math.Clamp(limit - BesideConnections, 0, int.MaxValue);
        return left >= Plenty
            ? new DescriptorShare((left - MessagingAnterooms) / 5, (left - MessagingAnterooms) / 5, (left - MessagingAnterooms) / 5)
            : new DescriptorShare(Math.Max(1, left / 16), Math.Max(1, (int)(left * 7L / 16)), Math.Max(1, left / 8));
    }
}
