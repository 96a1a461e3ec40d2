using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Running;

public sealed class ExitCodeTests
{
    [Fact]
    public void A_broken_invariant_comes_before_the_poison_that_it_hid()
    {
        ProcessingFault[] faults = [new(ProcessingFaultKind.Poison, "event 1"), new(ProcessingFaultKind.InvariantBreached, "unacknowledged")];

        Assert.Equal([7, 9], faults.Select(FaultExitCode.Of));
        Assert.Equal(9, ExitCode.Worst(faults.Select(FaultExitCode.Of)));
    }

    [Theory]
    [InlineData(new[] { 7, 9, 4 }, 9)]
    [InlineData(new[] { 8, 7 }, 7)]
    [InlineData(new[] { 5, 3, 9 }, 3)]
    [InlineData(new[] { 0, 5 }, 5)]
    [InlineData(new int[0], 0)]
    public void Ends_with_the_first_code_of_the_documented_order(int[] codes, int expected) => Assert.Equal(expected, ExitCode.Worst(codes));
}
