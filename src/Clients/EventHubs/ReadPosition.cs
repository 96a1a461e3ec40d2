using System.Globalization;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>The position that a partition is read from and its source, for messages. Both client families use the same words.</summary>
internal static class ReadPosition
{
    // A stored offset is text of another program, of any length.
    private const int LongestShown = 100;

    /// <summary>The source is the starting position of the options.</summary>
    public static string OfOptions(StartingPosition start) =>
        start == StartingPosition.Latest
            ? "after its last event, the starting position of the options"
            : "from its oldest event, the starting position of the options";

    /// <summary>The source is a checkpoint, whose offset or sequence number is used.</summary>
    /// <param name="checkpoint">The checkpoint.</param>
    /// <param name="container">Where it is stored.</param>
    /// <param name="byOffset">Whether its offset is used, and not its sequence number.</param>
    public static string Of(Checkpoint checkpoint, string container, bool byOffset)
    {
        var position = byOffset ? $"offset '{Shown(checkpoint.Position.Offset)}'" : SequenceNumber(checkpoint.Position.SequenceNumber);
        var writer = string.IsNullOrEmpty(checkpoint.ClientId) ? string.Empty : $" that '{Shown(checkpoint.ClientId)}' wrote";
        return $"after {position} of the checkpoint in container '{container}'{writer}";
    }

    /// <summary>
    /// The warning about a checkpoint whose offset is not a number, as in a geo-replicated namespace: its sequence number is used instead. Null for any other
    /// checkpoint. Both may be of another hub.
    /// </summary>
    /// <param name="checkpoint">The checkpoint.</param>
    /// <param name="container">Where it is stored.</param>
    public static string? UnusedOffset(Checkpoint checkpoint, string container) =>
        checkpoint.Position.SequenceNumber == EventPosition.UnknownSequenceNumber
        || StoredOffset.IsNone(checkpoint.Position.Offset)
        || long.TryParse(checkpoint.Position.Offset, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out _)
            ? null
            : $"partition {checkpoint.PartitionId} is read {Of(checkpoint, container, byOffset: false)}. Its offset '{Shown(checkpoint.Position.Offset)}' is not a number and is not used";

    /// <summary>The source is the last event that was read.</summary>
    public static string OfEvent(long sequenceNumber) => $"after {SequenceNumber(sequenceNumber)}, the last event read";

    /// <summary>The failure of a reader whose position the hub refused.</summary>
    /// <param name="failure">The answer of the hub.</param>
    /// <param name="entity">The event hub in messages.</param>
    /// <param name="partitionId">The partition.</param>
    /// <param name="place">A text from one of the other methods.</param>
    public static MessagingException Refused(MessagingException failure, string entity, string partitionId, string place)
    {
        var reason = failure.Message.StartsWith($"{entity}: ", StringComparison.Ordinal) ? failure.Message[(entity.Length + 2)..] : failure.Message;
        return new MessagingException(failure.Kind, $"{entity} partition {partitionId} cannot be read {place}: {reason}", failure)
        {
            Condition = failure.Condition,
        };
    }

    private static string SequenceNumber(long number) => string.Create(CultureInfo.InvariantCulture, $"sequence number {number}");

    private static string Shown(string? text)
    {
        var shown = StoredOffset.IsNone(text) ? string.Empty : text!;
        shown = string.Concat(shown.Select(static letter => char.IsControl(letter) ? '?' : letter));
        return shown.Length <= LongestShown ? shown : shown[..LongestShown] + "...";
    }
}
