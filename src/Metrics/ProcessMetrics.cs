namespace EventHubThroughput.Metrics;

/// <summary>What the process itself costs.</summary>
public static class ProcessMetrics
{
    public static void AddTo(MetricRegistry registry)
    {
        registry.AddCounterCallback(
            MetricNames.ProcessCpuSeconds,
            "CPU time of the process, user and system.",
            static () => Environment.CpuUsage.TotalTime.TotalSeconds
        );
        registry.AddGaugeCallback(MetricNames.ProcessResidentMemoryBytes, "Resident memory of the process.", static () => Environment.WorkingSet);
        registry.AddCounterCallback(
            MetricNames.GcPauseSeconds,
            "Time for which garbage collections stopped all threads.",
            static () => GC.GetTotalPauseDuration().TotalSeconds
        );
        registry.AddGaugeCallback(MetricNames.ThreadPoolThreads, "Threads of the thread pool.", static () => ThreadPool.ThreadCount);
        registry.AddGaugeCallback(
            MetricNames.ThreadPoolQueueLength,
            "Work items waiting for a thread of the pool.",
            static () => ThreadPool.PendingWorkItemCount
        );
    }
}
