using Microsoft.Extensions.DependencyInjection;

namespace EventHubThroughput.Hosting.Handling;

/// <summary>Makes a handler for each event, in a new scope: a database context must not be shared by concurrent events.</summary>
/// <param name="scopes">Makes the services.</param>
/// <param name="handle">Gives the event to the handler.</param>
internal sealed class ScopedHandler<THandler, TEvent>(IServiceScopeFactory scopes, Func<THandler, TEvent, CancellationToken, ValueTask> handle)
    where THandler : class
{
    public async ValueTask HandleAsync(TEvent given, CancellationToken cancellationToken)
    {
        var scope = scopes.CreateAsyncScope();
        await using var closing = scope.ConfigureAwait(false);
        await handle(scope.ServiceProvider.GetRequiredService<THandler>(), given, cancellationToken).ConfigureAwait(false);
    }
}
