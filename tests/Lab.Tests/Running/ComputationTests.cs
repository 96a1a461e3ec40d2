using EventHubThroughput.Lab.Configuration;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Running;

public sealed class ComputationTests
{
    [Fact]
    public void Is_counted_in_rounds_of_the_quickest_sample()
    {
        // Two looks a sample. One of them took 50 us, all others 80.
        var looks = 0;
        var computation = Computation.Calibrated(
            new Looked(() =>
            {
                var sample = looks / 2;
                return ++looks % 2 == 0 ? (sample * 1_000) + (sample == 7 ? 50 : 80) : sample * 1_000;
            })
        );

        Assert.Equal(2_000_000, computation.GetRounds(TimeSpan.FromMilliseconds(1)));
        Assert.Equal(0, computation.GetRounds(TimeSpan.Zero));
    }

    [Fact]
    public void A_machine_that_is_too_quick_for_its_clock_is_taken_for_one_round_of_it() =>
        Assert.Equal(100_000, Computation.Calibrated(new Looked(static () => 0)).GetRounds(TimeSpan.FromMicroseconds(1)));

    [Fact]
    public void Makes_the_rounds_that_it_counts()
    {
        var computation = new Computation(roundsPerMicrosecond: 3);
        var state = 0x9E37_79B9_7F4A_7C15UL;
        for (var round = 0; round < 750; round++)
        {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
        }

        Assert.Equal(state, computation.Run(TimeSpan.FromMicroseconds(250)));
    }

    // A clock of microseconds.
    private sealed class Looked(Func<long> look) : TimeProvider
    {
        public override long TimestampFrequency => 1_000_000;

        public override long GetTimestamp() => look();
    }
}
