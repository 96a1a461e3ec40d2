using EventHubThroughput.Clients.EventHubs;
using Xunit;

namespace EventHubThroughput.Clients.Tests.EventHubs;

public sealed class FilterExpressionTests
{
    [Fact]
    public void Writes_the_forms_of_the_official_client()
    {
        Assert.Equal("amqp.annotation.x-opt-offset > -1", FilterExpression.Of(StartingPosition.Earliest));
        Assert.Equal("amqp.annotation.x-opt-offset > @latest", FilterExpression.Of(StartingPosition.Latest));
        Assert.Equal("amqp.annotation.x-opt-sequence-number > 41", FilterExpression.AfterSequenceNumber(41));
        Assert.Equal("amqp.annotation.x-opt-offset > 1112", FilterExpression.After(new EventPosition(3, "1112")));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData(" ")]
    [InlineData("no offset")]
    public void A_reader_resumes_after_the_sequence_number_when_the_offset_is_unusable(string? offset) =>
        Assert.Equal("amqp.annotation.x-opt-sequence-number > 3", FilterExpression.After(new EventPosition(3, offset)));
}
