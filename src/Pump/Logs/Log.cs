using EventHubThroughput.Clients;
using Microsoft.Extensions.Logging;

namespace EventHubThroughput.Pump.Logs;

/// <summary>
/// Every line of the log of processing (docs/logs.md). The first value is the subject of a line, by which repetitions are recognised. No value is a key, a
/// token or a body.
/// </summary>
internal static partial class Log
{
    public const string Category = "EventHubThroughput.Processing";

    // A run.
    [LoggerMessage(1401, LogLevel.Information, "'{Hub}' in {Group}: processed as {Identifier} with strategy {Strategy} into {Sinks}")]
    public static partial void Started(ILogger log, string hub, string group, string identifier, string strategy, string sinks);

    [LoggerMessage(1402, LogLevel.Information, "'{Hub}': processing has ended as planned: {End}")]
    public static partial void Ended(ILogger log, string hub, ProcessingEnd end);

    [LoggerMessage(1403, LogLevel.Error, "{Kind}: {Message}")]
    public static partial void Faulted(ILogger log, string kind, string message, Exception? exception);

    [LoggerMessage(1404, LogLevel.Error, "partition {Partition}: the strategy has failed")]
    public static partial void StrategyFailed(ILogger log, string partition, Exception exception);

    [LoggerMessage(1405, LogLevel.Debug, "partition {Partition}: the strategy's work was cancelled")]
    public static partial void StrategyCut(ILogger log, string partition, Exception exception);

    [LoggerMessage(1406, LogLevel.Critical, "'{Hub}': processing has ended: {Fault}")]
    public static partial void Failed(ILogger log, string hub, string fault, Exception? exception);

    [LoggerMessage(1407, LogLevel.Warning, "{Notice}")]
    public static partial void Noticed(ILogger log, string notice);

    [LoggerMessage(1408, LogLevel.Warning, "the strategy is unsafe, so this breach is counted only: {Message}")]
    public static partial void BreachCounted(ILogger log, string message);

    // An ownership.
    [LoggerMessage(1411, LogLevel.Information, "partition {Partition}: claimed, from {Position}")]
    public static partial void Taken(ILogger log, string partition, string position);

    [LoggerMessage(1412, LogLevel.Information, "partition {Partition}: released, stored up to {Position}")]
    public static partial void GivenUp(ILogger log, string partition, string position);

    [LoggerMessage(1413, LogLevel.Warning, "partition {Partition}: lost to another processor")]
    public static partial void Lost(ILogger log, string partition);

    [LoggerMessage(1414, LogLevel.Warning, "partition {Partition}: its checkpoint could not be stored and is retried")]
    public static partial void CheckpointFailed(ILogger log, string partition, Exception exception);

    [LoggerMessage(1415, LogLevel.Warning, "partition {Partition}: the loop of an unsafe strategy has failed and continues")]
    public static partial void FailureIgnored(ILogger log, string partition, Exception exception);

    [LoggerMessage(1416, LogLevel.Warning, "partition {Partition}: the position passes {Events} events that are not complete, because the strategy is unsafe")]
    public static partial void PassedOver(ILogger log, string partition, int events);

    // A write.
    [LoggerMessage(1421, LogLevel.Debug, "{Sink}: try {Try} of event {Sequence} of partition {Partition} failed and is retried")]
    public static partial void TryFailed(ILogger log, string sink, int @try, long sequence, string partition, Exception exception);

    [LoggerMessage(1422, LogLevel.Warning, "{Sink}: event {Sequence} of partition {Partition} has failed after {Tries} tries")]
    public static partial void WriteFailed(ILogger log, string sink, long sequence, string partition, int tries, Exception exception);

    [LoggerMessage(1423, LogLevel.Warning, "{Sink}: event {Sequence} of partition {Partition} is stored among the dead letters")]
    public static partial void DeadLettered(ILogger log, string sink, long sequence, string partition);

    [LoggerMessage(1424, LogLevel.Warning, "{Sink}: event {Sequence} of partition {Partition} could not be stored among the dead letters")]
    public static partial void DeadLetterRefused(ILogger log, string sink, long sequence, string partition, Exception exception);

    [LoggerMessage(1425, LogLevel.Debug, "{Sink}: a write of partition {Partition} was cancelled, its event will be delivered again")]
    public static partial void WriteCut(ILogger log, string sink, string partition);
}
