using EventHubThroughput.Clients.Tests.Families;
using EventHubThroughput.Events;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

public sealed class OfficialBufferedWriterTests() : BufferedWriterContract(OfficialClients.Family)
{
    [Fact(Timeout = Limit)]
    public async Task A_failed_event_is_reported_as_its_handler_reports_it_and_the_writer_continues()
    {
        await using var services = await EmulatedServices.StartAsync(Token, partitions: 1);
        var outcomes = new Outcomes(2);
        await using var writer = services.Connect(OfficialClients.Family).CreateBufferedEventWriter();

        await writer.AddAsync(new OutgoingEvent { Body = new byte[2_000_000] }, null, outcomes.Of(0), Token);
        await writer.AddAsync(Event("small"), null, outcomes.Of(1), Token);
        await writer.FlushAsync(Token);
        await outcomes.All.WaitAsync(Token);

        Assert.Equal(FailureKind.TooLarge, outcomes.Settled[0]!.Kind);
        Assert.Null(outcomes.Settled[1]);
    }
}
