using System.Collections.Concurrent;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>Gives out tokens as the managed identity of an App Service does: the one source of Entra ID that needs no account and no network.</summary>
internal sealed class IdentityEndpoint : IAsyncDisposable
{
    /// <summary>In every token and in the secret that requests it. It must never be seen again.</summary>
    public const string Canary = "Q0FOQVJZ-ZW50cmE";

    private readonly WebApplication _application;

    private IdentityEndpoint(WebApplication application) => _application = application;

    /// <summary>What tokens were asked for.</summary>
    public ConcurrentDictionary<string, int> Resources { get; } = new(StringComparer.Ordinal);

    /// <summary>The variables by which the runtime's credential finds it.</summary>
    public IEnumerable<KeyValuePair<string, string>> Variables =>
        [new("IDENTITY_ENDPOINT", $"{_application.Urls.Single()}/token"), new("IDENTITY_HEADER", Canary)];

    /// <param name="refuses">Answers that there is no such identity.</param>
    /// <param name="cancellationToken">Gives the start up.</param>
    public static async Task<IdentityEndpoint> StartAsync(bool refuses, CancellationToken cancellationToken)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var endpoint = new IdentityEndpoint(builder.Build());
        endpoint._application.MapGet("/token", (HttpRequest request) => endpoint.Answer(request, refuses));
        await endpoint._application.StartAsync(cancellationToken);
        return endpoint;
    }

    public ValueTask DisposeAsync() => _application.DisposeAsync();

    private IResult Answer(HttpRequest request, bool refuses)
    {
        Resources.AddOrUpdate((string)request.Query["resource"]!, 1, static (_, count) => count + 1);
        return refuses || request.Headers["X-IDENTITY-HEADER"] != Canary
            ? Results.Json(new { statusCode = 400, message = "no such identity" }, statusCode: 400)
            : Results.Json(
                new
                {
                    access_token = $"{Canary}.{request.Query["resource"]}",
                    expires_on = TimeProvider.System.GetUtcNow().AddHours(1).ToUnixTimeSeconds().ToString(System.Globalization.CultureInfo.InvariantCulture),
                    resource = (string)request.Query["resource"]!,
                    token_type = "Bearer",
                    client_id = Guid.Empty,
                }
            );
    }
}
