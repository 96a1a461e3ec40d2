using System.Globalization;
using System.Text.Json;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Emulator.Administration;

/// <summary><c>/stats</c> for people and tests, <c>/metrics</c> for Prometheus, with the same figures.</summary>
internal static class StatisticsRoutes
{
    public static void AddTo(AdminRoutes routes, Func<Statistics> observe)
    {
        routes.Map(
            "GET",
            "/stats",
            _ =>
            {
                var statistics = observe();
                return AdminAnswer.Json(200, json => Write(json, statistics));
            }
        );
        routes.Map(
            "GET",
            "/metrics",
            async (_, cancellationToken) => new AdminAnswer(200, await StatisticsMetrics.ScrapeAsync(observe(), cancellationToken), TextFormat.ContentType)
        );
    }

    private static void Write(Utf8JsonWriter json, Statistics statistics)
    {
        json.WriteNumber("uptimeSeconds", Math.Round(statistics.Uptime.TotalSeconds, 3));
        json.WriteStartObject("connections");
        foreach (var (endpoint, count) in statistics.Connections)
        {
            json.WriteNumber(endpoint, count);
        }

        json.WriteEndObject();
        json.WriteStartObject("memory");
        json.WriteNumber("usedBytes", statistics.UsedBytes);
        json.WriteNumber("limitBytes", statistics.LimitBytes);
        json.WriteEndObject();
        JsonRows.Write(
            json,
            "hubs",
            statistics.Hubs,
            static (json, hub) =>
            {
                json.WriteString("name", hub.Name);
                json.WriteNumber("partitions", hub.Partitions);
                json.WriteNumber("events", hub.Events);
                json.WriteNumber("bytes", hub.Bytes);
            }
        );
        JsonRows.Write(json, "queues", statistics.Queues, Write);
        JsonRows.Write(
            json,
            "topics",
            statistics.Topics,
            static (json, topic) =>
            {
                json.WriteString("name", topic.Name);
                json.WriteNumber("scheduled", topic.Scheduled);
                JsonRows.Write(json, "subscriptions", topic.Subscriptions, Write);
            }
        );
        JsonRows.Write(
            json,
            "containers",
            statistics.Containers,
            static (json, container) =>
            {
                json.WriteString("name", container.Name);
                json.WriteNumber("blobs", container.Blobs);
                json.WriteNumber("bytes", container.Bytes);
            }
        );
        json.WriteString("profile", statistics.Profile);
        JsonRows.Write(
            json,
            "latency",
            statistics.Latency,
            static (json, row) =>
            {
                json.WriteString("operation", row.Operation.ToString());
                json.WriteNumber("count", row.Count);
                json.WriteNumber("askedMeanMilliseconds", Math.Round(row.AskedMeanMilliseconds, 4));
                json.WriteNumber("observedMeanMilliseconds", Math.Round(row.MeanMilliseconds, 4));
                json.WriteNumber("observedDeviationMilliseconds", Math.Round(row.DeviationMilliseconds, 4));
                json.WriteNumber("throttles", row.Throttles);
            }
        );
        JsonRows.Write(json, "faults", statistics.Faults, FaultRoutes.Write);
        json.WriteString("journal", statistics.Journal);
        json.WriteString("data", statistics.Data);
        json.WriteString("runtime", string.Create(CultureInfo.InvariantCulture, $".NET {Environment.Version}"));
    }

    private static void Write(Utf8JsonWriter json, QueueStatistics queue)
    {
        json.WriteString("name", queue.Name);
        json.WriteNumber("active", queue.Active);
        json.WriteNumber("deadLettered", queue.Dead);
        json.WriteNumber("scheduled", queue.Scheduled);
        json.WriteNumber("deferred", queue.Deferred);
        json.WriteNumber("bytes", queue.Bytes);
    }
}
