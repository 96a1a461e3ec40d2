using Microsoft.Extensions.DependencyInjection;

namespace EventHubThroughput.Hosting.Handling;

/// <summary>Creates a handler for each event, in a new scope: concurrent events must not share a database context.</summary>
/// <param name="scopes">Creates the services.</param>
/// <param name="handle">Passes the event to the handler.</param>
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
