using System.Buffers.Binary;

namespace EventHubThroughput.Verification.Facts;

/// <summary>
/// A number for a text, so that keys, content types and offsets need no memory. Of ten million texts two have the same number with a probability of three in
/// a million. No text is 0.
/// </summary>
internal static class TextHash
{
    private const ulong Multiplier = 0x9E3779B97F4A7C15;

    public static ulong Of(ReadOnlySpan<byte> text)
    {
        var hash = Mix((ulong)text.Length + Multiplier);
        for (; text.Length >= sizeof(ulong); text = text[sizeof(ulong)..])
        {
            hash = Mix(hash ^ BinaryPrimitives.ReadUInt64LittleEndian(text));
        }

        ulong rest = 0;
        foreach (var value in text)
        {
            rest = (rest << 8) | value;
        }

        return Math.Max(1, Mix(hash ^ rest));
    }

    public static ulong Combine(ulong first, ulong second) => Mix(first ^ Mix(second + Multiplier));

    // The finaliser of SplitMix64: every bit of the input changes half of the output's bits.
    private static ulong Mix(ulong value)
    {
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return value ^ (value >> 31);
    }
}
