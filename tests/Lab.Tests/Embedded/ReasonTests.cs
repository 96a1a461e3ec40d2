using EventHubThroughput.Lab.Embedded;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Embedded;

public sealed class ReasonTests
{
    [Fact]
    public void Lines_of_progress_are_no_reason_beside_an_error() =>
        Assert.Equal("error: drain limit exceeded", ChildProcess.ReasonOf(["combined: 9 of 3000 events in 21 s, ending", "error: drain limit exceeded"]));

    [Fact]
    public void A_program_that_crashed_says_what_it_can() =>
        Assert.Equal("Unhandled exception. | at Main", ChildProcess.ReasonOf(["Unhandled exception.", "at Main"]));

    [Fact]
    public void A_program_that_wrote_nothing_said_nothing() => Assert.Equal("no output", ChildProcess.ReasonOf([]));
}
