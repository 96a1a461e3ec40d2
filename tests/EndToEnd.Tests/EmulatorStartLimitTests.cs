using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Settings;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

public sealed class EmulatorStartLimitTests
{
    [Fact]
    public async Task An_emulator_that_is_not_ready_in_time_ends_the_command_with_the_name_of_the_option()
    {
        var clock = new VirtualClock();
        var starting = EmbeddedEmulator.StartAsync(
            ["--exit-with-stdin"],
            new Dictionary<string, string>(StringComparer.Ordinal),
            TimeSpan.FromSeconds(90),
            clock,
            TestContext.Current.CancellationToken
        );

        clock.Advance(TimeSpan.FromSeconds(90));

        var ended = await Assert.ThrowsAsync<FailureException>(() => starting);
        Assert.Equal((FailureCause.Dependency, "emulator not ready within 90s (--start-limit)"), (ended.Cause, ended.Message));
    }
}
