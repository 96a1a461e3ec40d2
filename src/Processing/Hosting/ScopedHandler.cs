using EventHubThroughput.Events;
using Microsoft.Extensions.DependencyInjection;

namespace EventHubThroughput.Processing.Hosting;

/// <summary>Makes a handler for each event, with services of its own: a database context must not be shared by concurrent events.</summary>
internal sealed class ScopedHandler<THandler>(IServiceScopeFactory scopes)
    where THandler : class, IEventHandler
{
    public async ValueTask HandleAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
    {
        await using var scope = scopes.CreateAsyncScope();
        await scope.ServiceProvider.GetRequiredService<THandler>().HandleAsync(receivedEvent, cancellationToken);
    }
}
