using System.Net;
using System.Net.Http.Headers;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Processing;
using EventHubThroughput.Strategies;

namespace HttpSink;

/// <summary>Where events are posted.</summary>
/// <param name="Address">The address of the endpoint.</param>
public sealed record WebhookOptions(Uri Address)
{
    /// <summary>The bearer token of each request, or null.</summary>
    public string? Token { get; init; }
}

/// <summary>
/// Posts the body of each event to an endpoint. An event can be posted again, after a failure or a crash, so each request has an
/// <c>Idempotency-Key</c>: event hub, partition and sequence number of the event.
/// </summary>
public sealed class WebhookSink(WebhookOptions options, string eventHub) : ISink<ReceivedEvent>, IDisposable
{
    private readonly HttpClient client = new(new SocketsHttpHandler { PooledConnectionLifetime = TimeSpan.FromMinutes(5) });

    /// <summary>The sink of the environment: <c>WEBHOOK_URL</c>, and <c>WEBHOOK_TOKEN</c> if it is set.</summary>
    public static SinkDescriptor OfEnvironment { get; } =
        Of(
            new WebhookOptions(new Uri(Setting("WEBHOOK_URL") ?? throw new InvalidOperationException("WEBHOOK_URL is not set")))
            {
                Token = Setting("WEBHOOK_TOKEN"),
            }
        );

    public string Name => "webhook";

    /// <summary>The sink with these options.</summary>
    public static SinkDescriptor Of(WebhookOptions options) =>
        new("webhook", "Posts the body of each event.", context => new WebhookSink(options, context.EventHubName));

    public async ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, options.Address) { Content = new ReadOnlyMemoryContent(receivedEvent.Body) };
        request.Headers.Add("Idempotency-Key", $"{eventHub}/{receivedEvent.PartitionId}/{receivedEvent.SequenceNumber}");
        request.Headers.Authorization = options.Token is { } token ? new AuthenticationHeaderValue("Bearer", token) : null;
        request.Content.Headers.TryAddWithoutValidation("Content-Type", receivedEvent.ContentType ?? "application/octet-stream");
        using var response = await client.SendAsync(request, cancellationToken);
        if (!response.IsSuccessStatusCode)
        {
            throw new MessagingException(GetKind(response.StatusCode), $"{options.Address} answered {(int)response.StatusCode}")
            {
                RetryAfter = response.Headers.RetryAfter?.Delta ?? TimeSpan.Zero,
            };
        }
    }

    public void Dispose() => client.Dispose();

    // Transient and Throttled are tried again. NotFound and Unauthorized concern every event, so they end the processing. Permanent concerns this event.
    private static FailureKind GetKind(HttpStatusCode status) =>
        status switch
        {
            HttpStatusCode.TooManyRequests => FailureKind.Throttled,
            HttpStatusCode.RequestTimeout or >= HttpStatusCode.InternalServerError => FailureKind.Transient,
            HttpStatusCode.NotFound => FailureKind.NotFound,
            HttpStatusCode.Unauthorized or HttpStatusCode.Forbidden => FailureKind.Unauthorized,
            _ => FailureKind.Permanent,
        };

    private static string? Setting(string name) => Environment.GetEnvironmentVariable(name);
}
