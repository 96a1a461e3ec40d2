using EventHubThroughput.Lab.Embedded;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Embedded;

public sealed class ReasonTests
{
    [Fact]
    public void Lines_of_progress_are_not_part_of_the_reason_beside_an_error() =>
        Assert.Equal("error: drain limit exceeded", ChildProcess.GetReason(["combined: 9 of 3000 events in 21 s, ending", "error: drain limit exceeded"]));

    [Fact]
    public void The_reason_of_a_crashed_program_is_its_output() =>
        Assert.Equal("Unhandled exception. | at Main", ChildProcess.GetReason(["Unhandled exception.", "at Main"]));

    [Fact]
    public void A_program_without_output_is_reported_as_silent() => Assert.Equal("no output", ChildProcess.GetReason([]));
}
