using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Emulator;

/// <summary>
/// How many connections each endpoint may hold. Together they never use up the descriptors of the process. Without a free descriptor the runtime cannot load
/// its code, and ends.
/// </summary>
/// <param name="Messaging">For each of up to three messaging ports. The same number again is accepted, only to be refused with a reason.</param>
/// <param name="Blobs">For blobs. One client may hold many.</param>
/// <param name="Administration">For the administration.</param>
internal readonly record struct DescriptorShare(int Messaging, int Blobs, int Administration)
{
    /// <summary>With a smaller limit the emulator does not start.</summary>
    public const int Least = 240;

    // Measured: about 125 before the first connection, plus the files that are loaded with the first ones.
    private const int BesideConnections = 180;
    private const int Plenty = 2_048;
    private const int MessagingReserves = 3 * 64;

    /// <summary>The shares under the limit in force.</summary>
    public static DescriptorShare InForce { get; } = Of(DescriptorLimit.InForce);

    /// <param name="limit">Descriptors that the process may have.</param>
    public static DescriptorShare Of(long limit)
    {
        var left = (int)Math.Clamp(limit - BesideConnections, 0, int.MaxValue);
        return left >= Plenty
            ? new DescriptorShare((left - MessagingReserves) / 5, (left - MessagingReserves) / 5, (left - MessagingReserves) / 5)
            : new DescriptorShare(Math.Max(1, left / 16), Math.Max(1, (int)(left * 7L / 16)), Math.Max(1, left / 8));
    }
}
