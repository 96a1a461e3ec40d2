using System.Collections.Concurrent;
using System.Security.Cryptography;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Repository.Builds.Webhooks;

/// <summary>An HTTP endpoint that keeps the hash of what is posted under each idempotency key, and refuses some posts.</summary>
internal sealed class WebhookEndpoint : IAsyncDisposable
{
    /// <summary>The bearer token that it demands.</summary>
    public const string Token = "token-of-the-test";

    // One event of this number is refused once, with the status of an overload or of a limit of requests.
    private const int RefusedOnce = 20;

    private readonly ConcurrentDictionary<string, int> tries = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, string> stored = new(StringComparer.Ordinal);
    private readonly WebApplication application;
    private readonly int? refusedForGood;
    private int accepted;
    private (int Count, TaskCompletionSource Reached) awaited = (int.MaxValue, new TaskCompletionSource());

    private WebhookEndpoint(WebApplication application, int? refusedForGood) => (this.application, this.refusedForGood) = (application, refusedForGood);

    /// <summary>The variables that the sink reads.</summary>
    public Dictionary<string, string> Settings =>
        new(StringComparer.Ordinal) { ["WEBHOOK_URL"] = $"{application.Urls.Single()}/events", ["WEBHOOK_TOKEN"] = Token };

    /// <summary>The hash of the body by idempotency key.</summary>
    public IReadOnlyDictionary<string, string> Stored => stored;

    /// <summary>Posts that were accepted.</summary>
    public int Accepted => Volatile.Read(ref accepted);

    /// <summary>Whether a key had another body when it was posted again.</summary>
    public bool HasChangedBody { get; private set; }

    /// <summary>Starts on a free port of loopback.</summary>
    /// <param name="refusedForGood">One of this number of sequence numbers is always answered 422. Null refuses none for good.</param>
    /// <param name="cancellationToken">Ends the start.</param>
    public static async Task<WebhookEndpoint> StartAsync(int? refusedForGood, CancellationToken cancellationToken)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var endpoint = new WebhookEndpoint(builder.Build(), refusedForGood);
        endpoint.application.MapPost("/events", endpoint.AnswerAsync);
        await endpoint.application.StartAsync(cancellationToken);
        return endpoint;
    }

    /// <summary>Whether the event of a key is refused for good.</summary>
    public bool IsRefused(long sequence) => refusedForGood is { } one && sequence % one == one / 2;

    /// <summary>Waits until this number of posts was accepted.</summary>
    public Task WaitAsync(int count, CancellationToken cancellationToken)
    {
        var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (tries)
        {
            awaited = (count, reached);
            if (accepted >= count)
            {
                reached.SetResult();
            }
        }

        return reached.Task.WaitAsync(cancellationToken);
    }

    public ValueTask DisposeAsync() => application.DisposeAsync();

    private async Task<IResult> AnswerAsync(HttpRequest request)
    {
        var key = request.Headers["Idempotency-Key"].ToString();
        var sequence = long.Parse(key.Split('/')[2], System.Globalization.CultureInfo.InvariantCulture);
        var hash = Convert.ToHexStringLower(await SHA256.HashDataAsync(request.Body, request.HttpContext.RequestAborted));
        if (request.Headers.Authorization != $"Bearer {Token}")
        {
            return Results.StatusCode(StatusCodes.Status401Unauthorized);
        }

        if (IsRefused(sequence))
        {
            return Results.StatusCode(StatusCodes.Status422UnprocessableEntity);
        }

        if (sequence % RefusedOnce == 0 && tries.AddOrUpdate(key, 1, static (_, before) => before + 1) == 1)
        {
            return Results.StatusCode(sequence % (2 * RefusedOnce) == 0 ? StatusCodes.Status503ServiceUnavailable : StatusCodes.Status429TooManyRequests);
        }

        HasChangedBody |= stored.GetOrAdd(key, hash) != hash;
        lock (tries)
        {
            if (++accepted >= awaited.Count)
            {
                awaited.Reached.TrySetResult();
            }
        }

        return Results.NoContent();
    }
}
