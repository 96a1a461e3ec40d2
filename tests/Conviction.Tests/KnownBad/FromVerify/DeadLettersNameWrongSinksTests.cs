using EventHubThroughput.Processing.Sinks;
using Xunit;

namespace EventHubThroughput.Conviction.Tests.KnownBad.FromVerify;

/// <summary>Gives up an event that the queue refuses, and the dead letter names other sinks than that one.</summary>
public sealed class DeadLettersNameWrongSinksTests
{
    private static readonly string[] Lost = ["lost", "checkpointAhead"];

    [Fact]
    public void The_sink_that_has_the_event_in_place_of_the_one_that_refused_it() => Convicts(["lost", "redundantDeadLetters", "checkpointAhead"], "blob");

    [Fact]
    public void Every_sink_although_one_has_the_event() => Convicts(["redundantDeadLetters"], "servicebus,blob");

    [Fact]
    public void No_sink_because_the_field_is_missing() => Convicts(Lost, null);

    [Fact]
    public void No_sink_because_the_field_is_empty() => Convicts(Lost, "");

    [Fact]
    public void A_sink_that_does_not_exist() => Convicts(Lost, "queue");

    [Fact]
    public void The_sink_in_other_letters() => Convicts(Lost, "ServiceBus");

    [Fact]
    public void A_list_that_semicolons_part() => Convicts(Lost, "servicebus;blob");

    [Fact]
    public void Naming_the_sink_that_refused_it_is_clean_so_that_the_names_are_what_is_convicted() =>
        Trial.Clears(async schedule => (await GivingUp.RunAsync(schedule, GivingUp.StoreAsync)).Services.Judge());

    private static void Convicts(string[] charges, string? sinks) =>
        Trial.Convicts(
            charges,
            async schedule => (await GivingUp.RunAsync(schedule, GivingUp.Changed(ChangedUploads.Metadata(DeadLetterFields.Sinks, sinks)))).Services.Judge()
        );
}
