using System.Diagnostics;
using System.Reflection;

namespace EventHubThroughput.Telemetry;

/// <summary>The identity and the cost of the process itself.</summary>
public static class ProcessMetrics
{
    /// <param name="registry">The registry for the series.</param>
    /// <param name="program">The program, for its name and version.</param>
    /// <param name="labels">The labels of every series. The one about the build has further labels.</param>
    public static void AddTo(MetricRegistry registry, Assembly program, params (string Name, string Value)[] labels)
    {
        registry
            .AddGauge(
                MetricNames.BuildInfo,
                "The program and its runtime. The value is always 1.",
                [
                    .. labels,
                    ("program", program.GetName().Name ?? string.Empty),
                    ("version", program.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "unknown"),
                    ("runtime", $"{Environment.Version}"),
                ]
            )
            .Set(1);
        using (var self = Process.GetCurrentProcess())
        {
            registry
                .AddGauge(MetricNames.ProcessStartTimeSeconds, "When the process began, in Unix seconds.", labels)
                .Set(new DateTimeOffset(self.StartTime.ToUniversalTime()).ToUnixTimeMilliseconds() / 1000.0);
        }

        registry.AddCounterCallback(
            MetricNames.ProcessCpuSeconds,
            "CPU time of the process, user and system.",
            static () => Environment.CpuUsage.TotalTime.TotalSeconds,
            labels
        );
        registry.AddGaugeCallback(MetricNames.ProcessResidentMemoryBytes, "Resident memory of the process.", static () => Environment.WorkingSet, labels);
        AddRuntime(registry, labels);
    }

    private static void AddRuntime(MetricRegistry registry, (string, string)[] labels)
    {
        registry.AddCounterCallback(MetricNames.AllocatedBytes, "Bytes allocated on the heap.", static () => GC.GetTotalAllocatedBytes(), labels);
        registry.AddGaugeCallback(MetricNames.GcHeapBytes, "Bytes of the heap in use or not collected yet.", static () => GC.GetTotalMemory(false), labels);
        for (var generation = 0; generation <= GC.MaxGeneration; generation++)
        {
            var counted = generation;
            registry.AddCounterCallback(
                MetricNames.GcCollections,
                "Garbage collections of a generation, those of older ones included.",
                () => GC.CollectionCount(counted),
                [.. labels, ("generation", $"{counted}")]
            );
        }

        registry.AddCounterCallback(
            MetricNames.GcPauseSeconds,
            "Time for which garbage collections stopped all threads.",
            static () => GC.GetTotalPauseDuration().TotalSeconds,
            labels
        );
        registry.AddCounterCallback(
            MetricNames.LockContentions,
            "Times that a thread had to wait for a lock.",
            static () => Monitor.LockContentionCount,
            labels
        );
        registry.AddGaugeCallback(MetricNames.ThreadPoolThreads, "Threads of the thread pool.", static () => ThreadPool.ThreadCount, labels);
        registry.AddGaugeCallback(
            MetricNames.ThreadPoolQueueLength,
            "Work items waiting for a thread of the pool.",
            static () => ThreadPool.PendingWorkItemCount,
            labels
        );
    }
}
