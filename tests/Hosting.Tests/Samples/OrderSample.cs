using System.Text.Json.Serialization;
using EventHubThroughput.Processing;
using Microsoft.Extensions.DependencyInjection;

namespace EventHubThroughput.Hosting.Tests.Samples;

internal static class OrderSample
{
    public static EventHubProcessingBuilder AddOrders(this IServiceCollection services) =>
        services.AddEventHubProcessing("orders").Handle<OrderHandler, Order>(OrderJson.Default.Order);
}

internal sealed record Order(string Id, int Count);

[JsonSerializable(typeof(Order))]
internal sealed partial class OrderJson : JsonSerializerContext;

internal sealed class OrderHandler(TextWriter output) : IEventHandler<Order>
{
    public async ValueTask HandleAsync(EventContext<Order> context, CancellationToken cancellationToken) =>
        await output.WriteLineAsync($"{context.PartitionId}/{context.Event.MessageId}: {context.Value.Count} of {context.Value.Id}");
}
