using Xunit;

namespace EventHubThroughput.Processing.Tests;

public sealed class ProcessingResultTests
{
    private static readonly ProcessingFault Poison = new(ProcessingFaultKind.Poison, "partition 0 event 7: no order");
    private static readonly ProcessingFault Drain = new(ProcessingFaultKind.DrainLimit, "partition 1: cut");

    public static TheoryData<string, ProcessingResult> Ends =>
        new()
        {
            { "Stopped", new ProcessingResult(ProcessingEnd.Stopped, []) },
            { "Faulted: Poison: partition 0 event 7: no order", new ProcessingResult(ProcessingEnd.Faulted, [Poison]) },
            { "Faulted: Poison: partition 0 event 7: no order (and 1 more)", new ProcessingResult(ProcessingEnd.Faulted, [Poison, Drain]) },
        };

    [Theory]
    [MemberData(nameof(Ends))]
    public void The_text_of_a_result_states_how_it_ended(string text, ProcessingResult result) => Assert.Equal(text, result.ToString());

    [Theory]
    [InlineData(3, "Drained: 2 redriven, 1 refused, 0 unreadable, 3 left")]
    [InlineData(null, "Drained: 2 redriven, 1 refused, 0 unreadable, an unknown number left")]
    public void The_text_of_a_redrive_counts_the_dead_letters(int? left, string text)
    {
        var result = new RedriveResult
        {
            End = ProcessingEnd.Drained,
            Faults = [],
            Redriven = 2,
            Refused = 1,
            Unreadable = 0,
            Left = left is { } count ? [new DeadLettersLeft("blob", "no order", count)] : null,
        };

        Assert.Equal(text, result.ToString());
    }

    [Theory]
    [InlineData("hub/0/7: Refused (blob, mine): busy", "blob", "mine")]
    [InlineData("hub/0/7: Refused: busy")]
    public void The_text_of_a_step_names_the_sinks(string text, params string[] sinks) =>
        Assert.Equal(text, new RedriveStep("hub/0/7", RedriveOutcome.Refused, sinks, "busy").ToString());

    [Fact]
    public void A_redrive_throws_what_the_handler_threw_as_the_inner_exception()
    {
        var cause = new FormatException("no order");
        var result = new RedriveResult
        {
            End = ProcessingEnd.Faulted,
            Faults = [Poison with { Exception = cause }],
            Redriven = 0,
            Refused = 1,
            Unreadable = 0,
            Left = [],
        };

        Assert.Same(cause, Assert.Throws<ProcessingFaultException>(result.ThrowIfFaulted).InnerException);
    }
}
