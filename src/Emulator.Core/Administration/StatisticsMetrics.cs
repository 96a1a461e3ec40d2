using EventHubThroughput.Emulator.ServiceBus;
using EventHubThroughput.Telemetry;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>The emulator's series in the Prometheus text format. Each scrape creates them again, so that the series of a deleted entity disappears.</summary>
internal static class StatisticsMetrics
{
    public static Task<ReadOnlyMemory<byte>> ScrapeAsync(Statistics statistics, CancellationToken cancellationToken)
    {
        var registry = new MetricRegistry();
        registry.AddGauge("emulator_uptime_seconds", "Time since the emulator was ready.").Set(statistics.Uptime.TotalSeconds);
        registry.AddGauge("emulator_memory_used_bytes", "Events, messages and blobs held in memory.").Set(statistics.UsedBytes);
        registry.AddGauge("emulator_memory_limit_bytes", "Limit of the memory.").Set(statistics.LimitBytes);
        foreach (var (endpoint, count) in statistics.Connections)
        {
            registry.AddGauge("emulator_connections", "Open connections.", ("endpoint", endpoint)).Set(count);
        }

        foreach (var hub in statistics.Hubs)
        {
            registry.AddGauge("emulator_hub_partitions", "Partitions of a hub.", ("hub", hub.Name)).Set(hub.Partitions);
            registry.AddGauge("emulator_hub_events", "Events that a hub holds.", ("hub", hub.Name)).Set(hub.Events);
            registry.AddGauge("emulator_hub_size_bytes", "Bytes of the events that a hub holds.", ("hub", hub.Name)).Set(hub.Bytes);
        }

        foreach (var queue in statistics.Queues.Concat(statistics.Topics.SelectMany(static topic => topic.Subscriptions)))
        {
            AddQueue(registry, queue);
        }

        foreach (var container in statistics.Containers)
        {
            registry.AddGauge("emulator_container_blobs", "Blobs that a container holds.", ("container", container.Name)).Set(container.Blobs);
            registry
                .AddGauge("emulator_container_size_bytes", "Bytes of the blobs that a container holds.", ("container", container.Name))
                .Set(container.Bytes);
        }

        foreach (var row in statistics.Latency)
        {
            var operation = ("operation", row.Operation.ToString());
            registry.AddCounter("emulator_operations_total", "Operations with an emulated latency.", operation).Inc(row.Count);
            registry.AddGauge("emulator_latency_asked_seconds", "Mean latency that the profile requests.", operation).Set(row.AskedMeanMilliseconds / 1_000);
            registry.AddGauge("emulator_latency_observed_seconds", "Mean latency that was observed.", operation).Set(row.MeanMilliseconds / 1_000);
        }

        // Two rules may have the same name, but two series may not.
        foreach (var fault in statistics.Faults.GroupBy(static fault => fault.Rule.Name, StringComparer.Ordinal))
        {
            registry
                .AddCounter("emulator_faults_total", "Operations that a fault affected.", ("fault", fault.Key))
                .Inc(fault.Sum(static rule => rule.Counts.Struck));
        }

        ProcessMetrics.AddTo(registry, typeof(StatisticsMetrics).Assembly);
        return registry.ScrapeAsync(cancellationToken);
    }

    private static void AddQueue(MetricRegistry registry, QueueStatistics queue)
    {
        foreach (
            var (state, count) in new[]
            {
                ("active", queue.Active),
                ("dead-lettered", queue.Dead),
                ("scheduled", queue.Scheduled),
                ("deferred", queue.Deferred),
            }
        )
        {
            registry.AddGauge("emulator_queue_messages", "Messages that a queue or subscription holds.", ("queue", queue.Name), ("state", state)).Set(count);
        }

        registry.AddGauge("emulator_queue_size_bytes", "Bytes of the messages that a queue or subscription holds.", ("queue", queue.Name)).Set(queue.Bytes);
    }
}
