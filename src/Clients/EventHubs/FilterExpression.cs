using System.Globalization;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>The selector expressions for the start of a reading, written as the official .NET client writes them.</summary>
internal static class FilterExpression
{
    /// <summary>From the oldest retained event.</summary>
    public static string Earliest => $"{AmqpNames.AnnotationPrefix}{AmqpNames.Offset} > -1";

    /// <summary>Events appended after the link is attached.</summary>
    public static string Latest => $"{AmqpNames.AnnotationPrefix}{AmqpNames.Offset} > {AmqpNames.LatestOffset}";

    /// <summary>After a sequence number.</summary>
    public static string AfterSequenceNumber(long sequenceNumber) =>
        string.Create(CultureInfo.InvariantCulture, $"{AmqpNames.AnnotationPrefix}{AmqpNames.SequenceNumber} > {sequenceNumber}");

    /// <summary>After a stored position: by its offset, or by its sequence number when it has none.</summary>
    public static string After(EventPosition position) =>
        StoredOffset.IsNone(position.Offset)
            ? AfterSequenceNumber(position.SequenceNumber)
            : $"{AmqpNames.AnnotationPrefix}{AmqpNames.Offset} > {position.Offset}";

    /// <summary>The start of a partition without a checkpoint.</summary>
    public static string Of(StartingPosition start) => start == StartingPosition.Latest ? Latest : Earliest;
}
