using EventHubThroughput.Events;
using EventHubThroughput.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddEventHubProcessing("orders", builder.Configuration.GetSection("Orders")).Handle<OrderHandler>();
builder.Services.AddHealthChecks().AddEventHubProcessing("orders");
await builder.Build().RunAsync();

internal sealed class OrderHandler : IEventHandler
{
    public async ValueTask HandleAsync(ReceivedEvent received, CancellationToken cancellationToken) =>
        await Console.Out.WriteLineAsync($"{received.PartitionId}/{received.SequenceNumber}: {received.Body.Length} bytes");
}
