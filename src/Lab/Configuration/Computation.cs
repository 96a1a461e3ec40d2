using System.Runtime.CompilerServices;

namespace EventHubThroughput.Lab.Configuration;

/// <summary>
/// Work for a processor, in the time that an otherwise idle processor takes. It is counted in rounds and not by the clock. By the clock, a thread that shares
/// its processor would do less work, and a full machine would look as if it had room.
/// </summary>
/// <param name="roundsPerMicrosecond">How many rounds this machine's processor makes in a microsecond.</param>
internal sealed class Computation(double roundsPerMicrosecond)
{
    private const int Samples = 50;
    private const int RoundsOfASample = 100_000;

    /// <summary>Measures the machine. Takes the quickest of some samples, since any disturbance makes a sample longer.</summary>
    public static Computation Calibrated(TimeProvider clock)
    {
        var quickest = TimeSpan.MaxValue;
        for (var sample = 0; sample < Samples; sample++)
        {
            var began = clock.GetTimestamp();
            _ = Make(RoundsOfASample);
            var elapsed = clock.GetElapsedTime(began);
            quickest = elapsed < quickest ? elapsed : quickest;
        }

        return new Computation(RoundsOfASample / Math.Max(quickest.TotalMicroseconds, 1));
    }

    /// <summary>The rounds that take this time.</summary>
    public long GetRounds(TimeSpan time) => (long)(time.TotalMicroseconds * roundsPerMicrosecond);

    /// <summary>Computes for this time on the calling thread.</summary>
    /// <returns>The result of the computation.</returns>
    public ulong Run(TimeSpan time) => Make(GetRounds(time));

    // Compiled to its last form immediately: with the rounds of a first, slow form every later computation would be too long. Each step of xorshift waits for
    // the one before it.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static ulong Make(long rounds)
    {
        var state = 0x9E37_79B9_7F4A_7C15UL;
        for (long round = 0; round < rounds; round++)
        {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
        }

        return state;
    }
}
