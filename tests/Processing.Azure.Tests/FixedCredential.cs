using System.Collections.Concurrent;
using Azure.Core;

namespace EventHubThroughput.Processing.Azure.Tests;

/// <summary>A credential whose token is given.</summary>
internal sealed class FixedCredential(string token) : TokenCredential
{
    private readonly ConcurrentQueue<string> asked = new();

    /// <summary>The scopes that were asked for, each once.</summary>
    public IEnumerable<string> Scopes => asked.Distinct();

    public override AccessToken GetToken(TokenRequestContext requestContext, CancellationToken cancellationToken)
    {
        foreach (var scope in requestContext.Scopes)
        {
            asked.Enqueue(scope);
        }

        return new AccessToken(token, DateTimeOffset.MaxValue);
    }

    public override ValueTask<AccessToken> GetTokenAsync(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
        ValueTask.FromResult(GetToken(requestContext, cancellationToken));
}
