using System.Collections.Concurrent;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace EventHubThroughput.EndToEnd.Tests.Otlp;

/// <summary>
/// A collector: accepts OTLP over HTTP with protobuf and keeps the data. The numbers of the fields are those of opentelemetry-proto (trace/v1,
/// metrics/v1, common/v1).
/// </summary>
internal sealed class OtlpReceiver : IAsyncDisposable
{
    private readonly WebApplication application;
    private readonly ConcurrentQueue<ReceivedSpan> spans = new();
    private readonly ConcurrentDictionary<string, ReceivedPoint> points = new(StringComparer.Ordinal);

    private OtlpReceiver()
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder
            .WebHost.UseKestrelCore()
            .ConfigureKestrel(static kestrel => kestrel.Listen(System.Net.IPAddress.Loopback, 0, static listen => listen.Protocols = HttpProtocols.Http1));
        application = builder.Build();
        application.Run(AnswerAsync);
    }

    public string Address => application.Urls.First();

    public IReadOnlyCollection<ReceivedSpan> Spans => spans;

    /// <summary>The last point of each series.</summary>
    public IReadOnlyCollection<ReceivedPoint> Points => [.. points.Values];

    public static async Task<OtlpReceiver> StartAsync(CancellationToken cancellationToken)
    {
        var receiver = new OtlpReceiver();
        await receiver.application.StartAsync(cancellationToken);
        return receiver;
    }

    public async ValueTask DisposeAsync() => await application.DisposeAsync();

    private async Task AnswerAsync(HttpContext context)
    {
        using var body = new MemoryStream();
        await context.Request.Body.CopyToAsync(body, context.RequestAborted);
        if (context.Request.ContentType != "application/x-protobuf")
        {
            context.Response.StatusCode = StatusCodes.Status415UnsupportedMediaType;
            return;
        }

        var request = new ProtobufFields(body.ToArray());
        switch (context.Request.Path.Value)
        {
            case "/v1/traces":
                ReadSpans(request);
                break;
            case "/v1/metrics":
                ReadPoints(request);
                break;
            default:
                context.Response.StatusCode = StatusCodes.Status404NotFound;
                return;
        }

        context.Response.ContentType = "application/x-protobuf";
    }

    private void ReadSpans(ProtobufFields request)
    {
        foreach (var resource in request.Messages(1))
        {
            var of = GetAttributes(resource.Message(1), 1);
            foreach (var span in resource.Messages(2).SelectMany(static scope => scope.Messages(2)))
            {
                spans.Enqueue(
                    new ReceivedSpan(span.Text(5), span.Hex(1), span.Hex(2), span.Hex(4), (int)span.Number(6))
                    {
                        Resource = of,
                        Attributes = GetAttributes(span, 9),
                        Links = [.. span.Messages(13).Select(static link => link.Hex(1) + link.Hex(2))],
                    }
                );
            }
        }
    }

    private void ReadPoints(ProtobufFields request)
    {
        foreach (var resource in request.Messages(1))
        {
            var of = GetAttributes(resource.Message(1), 1);
            foreach (var metric in resource.Messages(2).SelectMany(static scope => scope.Messages(2)))
            {
                foreach (var point in new[] { 5, 7 }.SelectMany(metric.Messages).SelectMany(static data => data.Messages(1)))
                {
                    var value = point.Has(6) ? (long)point.Number(6) : BitConverter.UInt64BitsToDouble(point.Number(4));
                    Keep(new ReceivedPoint(metric.Text(1), metric.Text(3), value) { Resource = of, Attributes = GetAttributes(point, 7) });
                }

                foreach (var point in metric.Messages(9).SelectMany(static data => data.Messages(1)))
                {
                    Keep(new ReceivedPoint(metric.Text(1), metric.Text(3), point.Number(4)) { Resource = of, Attributes = GetAttributes(point, 9) });
                }
            }
        }
    }

    private void Keep(ReceivedPoint point) =>
        points[$"{point.Resource["service.name"]} {point.Name} {string.Join(' ', point.Attributes.OrderBy(static tag => tag.Key, StringComparer.Ordinal))}"] =
            point;

    private static Dictionary<string, string> GetAttributes(ProtobufFields? owner, int number) =>
        (owner?.Messages(number) ?? []).ToDictionary(static pair => pair.Text(1), static pair => GetValue(pair.Message(2)!), StringComparer.Ordinal);

    private static string GetValue(ProtobufFields value) => value.Has(3) ? $"{(long)value.Number(3)}" : value.Text(1);
}

/// <summary>A span as it arrived. Links are the trace and the span in one.</summary>
internal sealed record ReceivedSpan(string Name, string Trace, string Id, string Parent, int Kind)
{
    public required IReadOnlyDictionary<string, string> Resource { get; init; }

    public required IReadOnlyDictionary<string, string> Attributes { get; init; }

    public required IReadOnlyList<string> Links { get; init; }
}

/// <summary>A point of a metric. The value of a histogram is its count.</summary>
internal sealed record ReceivedPoint(string Name, string Unit, double Value)
{
    public required IReadOnlyDictionary<string, string> Resource { get; init; }

    public required IReadOnlyDictionary<string, string> Attributes { get; init; }
}
