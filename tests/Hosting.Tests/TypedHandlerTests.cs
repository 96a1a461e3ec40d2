using System.Text;
using System.Text.Json;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Hosting.Tests.Samples;
using EventHubThroughput.Processing;
using EventHubThroughput.Processing.Tests.Doubles;
using Microsoft.Extensions.DependencyInjection;
using Xunit;

namespace EventHubThroughput.Hosting.Tests;

/// <summary>Handlers of values that are deserialized from the bodies of events, in a host.</summary>
public sealed class TypedHandlerTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("method")]
    [InlineData("method by options")]
    [InlineData("type")]
    [InlineData("type by options")]
    public async Task A_host_takes_a_method_or_a_type(string form)
    {
        var received = new ReceivedEvent
        {
            PartitionId = "0",
            SequenceNumber = 0,
            Offset = "@0",
            Body = Encoding.UTF8.GetBytes("""{"Id":"a","Count":1}"""),
            MessageId = "m-0",
        };
        var hub = new OnePartition(1) { Batch = new EventBatch("0", [received]) };
        await using var output = new StringWriter();
        using var bench = new HostBench().WithSection();
        var services = bench.Application.Services.AddSingleton<TextWriter>(output);
        var handler = new OrderHandler(output);
        var builder = form switch
        {
            "type" => services.AddOrders(),
            "type by options" => services.AddEventHubProcessing("orders").Handle<OrderHandler, Order>(JsonSerializerOptions.Default),
            "method" => services.AddEventHubProcessing("orders").Handle<Order>(handler.HandleAsync, OrderJson.Default.Order),
            _ => services.AddEventHubProcessing("orders").Handle<Order>(handler.HandleAsync),
        };
        builder.UseClients(HostBench.GetFamily(hub));
        using var host = bench.Build();

        await host.StartAsync(Cancellation);
        await hub.GiveAsync().WaitAsync(Cancellation);
        await host.StopAsync(Cancellation);

        Assert.Equal("0/m-0: 1 of a", output.ToString().TrimEnd());
    }
}
