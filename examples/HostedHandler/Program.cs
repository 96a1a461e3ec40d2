using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddHealthChecks().AddCheck<EventHubProcessingHealthCheck>("event-hub");
builder
    .Services.AddEventHubProcessing(options => options.Processing = options.Processing with { Identifier = Environment.MachineName })
    .Handle<PrintingHandler>();
await builder.Build().RunAsync();

internal sealed class PrintingHandler : IEventHandler
{
    public async ValueTask HandleAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) =>
        await Console.Out.WriteLineAsync($"{receivedEvent.PartitionId}/{receivedEvent.SequenceNumber}: {receivedEvent.Body.Length} bytes");
}
