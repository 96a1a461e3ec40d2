using System.Globalization;
using EventHubThroughput.AzureProtocol;

namespace EventHubThroughput.Emulator.EventHubs;

internal enum StartPositionKind
{
    Earliest,
    Latest,
    Offset,
    SequenceNumber,
    EnqueuedTime,
}

/// <summary>The start of a reader: at a position, or (not inclusive) after it.</summary>
internal readonly record struct StartPosition(StartPositionKind Kind, long Value = 0, bool Inclusive = false)
{
    public static StartPosition Earliest { get; } = new(StartPositionKind.Earliest);

    /// <summary>
    /// Parses a selector such as <c>amqp.annotation.x-opt-offset &gt; '12'</c>. Some clients quote the value, others do not. Null for selectors that readers do
    /// not send.
    /// </summary>
    public static StartPosition? Parse(string selector)
    {
        var text = selector.AsSpan().Trim();
        if (!text.StartsWith(AmqpNames.AnnotationPrefix, StringComparison.Ordinal))
        {
            return null;
        }

        text = text[AmqpNames.AnnotationPrefix.Length..];
        var sign = text.IndexOf('>');
        if (sign < 0)
        {
            return null;
        }

        var name = text[..sign].TrimEnd();
        var inclusive = text[(sign + 1)..].StartsWith("=", StringComparison.Ordinal);
        var value = text[(sign + (inclusive ? 2 : 1))..].Trim();
        if (value.Length >= 2 && value[0] == '\'' && value[^1] == '\'')
        {
            value = value[1..^1];
        }

        return name switch
        {
            AmqpNames.Offset => ParseOffset(value, inclusive),
            AmqpNames.SequenceNumber => ParseNumber(StartPositionKind.SequenceNumber, value, inclusive),
            AmqpNames.EnqueuedTime => ParseNumber(StartPositionKind.EnqueuedTime, value, inclusive),
            _ => null,
        };
    }

    private static StartPosition? ParseOffset(ReadOnlySpan<char> value, bool inclusive) =>
        value switch
        {
            AmqpNames.LatestOffset => new StartPosition(StartPositionKind.Latest, 0, inclusive),
            "-1" => Earliest,
            _ => ParseNumber(StartPositionKind.Offset, value, inclusive),
        };

    private static StartPosition? ParseNumber(StartPositionKind kind, ReadOnlySpan<char> value, bool inclusive)
    {
        if (!long.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number))
        {
            return null;
        }

        // Before the first event. Also prevents an overflow of long.MaxValue + 1.
        return kind != StartPositionKind.EnqueuedTime && number < 0 ? Earliest : new StartPosition(kind, Math.Min(number, long.MaxValue - 1), inclusive);
    }
}
