namespace EventHubThroughput.Telemetry;

/// <summary>The names that the consumer exports. Dashboards may use only these.</summary>
public static class MetricNames
{
    // The five names of the article, unchanged, because dashboards use them. Labels: strategy, partition, run.
    public const string TotalStopwatch = "total_stopwatch";
    public const string ServiceBusStopwatch = "servicebus_stopwatch";
    public const string BlobStorageStopwatch = "blobstorage_stopwatch";
    public const string CheckpointStopwatch = "checkpoint_stopwatch";
    public const string ProcessedMessageCounter = "processed_messagecounter";

    public const string EventDurationSeconds = "eventhub_event_duration_seconds";
    public const string StepDurationSeconds = "eventhub_step_duration_seconds";
    public const string EventsProcessed = "eventhub_events_processed_total";
    public const string EventsInFlight = "eventhub_events_in_flight";
    public const string Degree = "eventhub_degree";
    public const string DegreeInForce = "eventhub_degree_in_force";
    public const string EventErrors = "eventhub_event_errors_total";
    public const string BlockedEvents = "eventhub_blocked_events";
    public const string DeadLettered = "eventhub_dead_lettered_total";
    public const string Redelivered = "eventhub_redelivered_total";
    public const string OutOfOrder = "eventhub_out_of_order_total";
    public const string LagEvents = "eventhub_lag_events";
    public const string LagSeconds = "eventhub_lag_seconds";
    public const string WatermarkGapEvents = "eventhub_watermark_gap_events";
    public const string PartitionOwned = "eventhub_partition_owned";
    public const string Checkpoints = "eventhub_checkpoints_total";
    public const string RunInfo = "eventhub_run_info";
    public const string RunStartTimestampSeconds = "eventhub_run_start_timestamp_seconds";
    public const string RunElapsedSeconds = "eventhub_run_elapsed_seconds";
    public const string MeasuredEvents = "eventhub_measured_events";
    public const string MeasuredSeconds = "eventhub_measured_seconds";
    public const string RunVerdict = "eventhub_run_verdict";

    public const string BuildInfo = "eventhub_build_info";
    public const string ProcessStartTimeSeconds = "process_start_time_seconds";
    public const string ProcessCpuSeconds = "process_cpu_seconds_total";
    public const string ProcessResidentMemoryBytes = "process_resident_memory_bytes";
    public const string AllocatedBytes = "dotnet_allocated_bytes_total";
    public const string GcHeapBytes = "dotnet_gc_heap_bytes";
    public const string GcCollections = "dotnet_gc_collections_total";
    public const string GcPauseSeconds = "dotnet_gc_pause_seconds_total";
    public const string LockContentions = "dotnet_lock_contentions_total";
    public const string ThreadPoolThreads = "dotnet_threadpool_threads";
    public const string ThreadPoolQueueLength = "dotnet_threadpool_queue_length";

    public static IReadOnlyList<string> Legacy { get; } =
    [TotalStopwatch, ServiceBusStopwatch, BlobStorageStopwatch, CheckpointStopwatch, ProcessedMessageCounter];

    /// <summary>The metrics of every program's process.</summary>
    public static IReadOnlyList<string> OfProcess { get; } =
    [
        BuildInfo,
        ProcessStartTimeSeconds,
        ProcessCpuSeconds,
        ProcessResidentMemoryBytes,
        AllocatedBytes,
        GcHeapBytes,
        GcCollections,
        GcPauseSeconds,
        LockContentions,
        ThreadPoolThreads,
        ThreadPoolQueueLength,
    ];

    public static IReadOnlyList<string> All { get; } =
    [
        .. Legacy,
        EventDurationSeconds,
        StepDurationSeconds,
        EventsProcessed,
        EventsInFlight,
        Degree,
        DegreeInForce,
        EventErrors,
        BlockedEvents,
        DeadLettered,
        Redelivered,
        OutOfOrder,
        LagEvents,
        LagSeconds,
        WatermarkGapEvents,
        PartitionOwned,
        Checkpoints,
        RunInfo,
        RunStartTimestampSeconds,
        RunElapsedSeconds,
        MeasuredEvents,
        MeasuredSeconds,
        RunVerdict,
        .. OfProcess,
    ];
}
