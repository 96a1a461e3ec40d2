using System.Buffers.Text;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification.Facts;

namespace EventHubThroughput.Verification.Reading;

/// <summary>The run and index of an event, as far as the journal recorded them.</summary>
internal readonly record struct Stamp(FactFlags Flags, long Index)
{
    /// <summary>The index of a stamp that names no event.</summary>
    public const long NoIndex = -1;

    public bool IsNone => Flags == FactFlags.None;

    public bool IsOurs => Flags == FactFlags.OurStamp;

    public static Stamp Of(TextMap properties, ScopeName? run)
    {
        if (!properties.TryFind("eht-run"u8, ignoreCase: false, out var stamped))
        {
            return default;
        }

        return run is not null && run.Is(stamped) ? new Stamp(FactFlags.OurStamp, IndexOf(properties)) : new Stamp(FactFlags.OtherStamp, NoIndex);
    }

    private static long IndexOf(TextMap properties) =>
        properties.TryFind("eht-index"u8, ignoreCase: false, out var text)
        && text.Length > 0
        && char.IsAsciiDigit((char)text[0])
        && Utf8Parser.TryParse(text, out long index, out var length)
        && length == text.Length
            ? index
            : NoIndex;
}
