namespace EventHubThroughput.Amqp.Tests.Framing;

/// <summary>Changes bytes of real frames: most stay frames, and little of what they say holds any more.</summary>
internal static class FrameMutator
{
    // Bytes at which decoders go wrong: constructors, bounds of widths.
    private static readonly byte[] Telling =
    [
        0x00,
        0x01,
        0x02,
        0x7f,
        0x80,
        0xff,
        0x40,
        0x41,
        0x44,
        0x45,
        0x53,
        0x56,
        0x70,
        0x80,
        0x83,
        0x98,
        0xa0,
        0xa1,
        0xa3,
        0xb0,
        0xb1,
        0xb3,
        0xc0,
        0xc1,
        0xd0,
        0xd1,
        0xe0,
        0xf0,
    ];

    /// <summary>One to four bytes or runs of bytes changed, added, removed or repeated.</summary>
    public static byte[] Mutate(byte[] original, Random random)
    {
        var bytes = original.ToList();
        for (var changes = random.Next(1, 5); changes > 0; changes--)
        {
            var at = random.Next(bytes.Count);
            switch (random.Next(6))
            {
                case 0:
                    bytes[at] = (byte)random.Next(256);
                    break;
                case 1:
                    bytes[at] = Telling[random.Next(Telling.Length)];
                    break;
                case 2:
                    bytes[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 3:
                    bytes.Insert(at, Telling[random.Next(Telling.Length)]);
                    break;
                case 4 when bytes.Count > 9:
                    bytes.RemoveAt(at);
                    break;
                default:
                    bytes.InsertRange(at, bytes.GetRange(at, Math.Min(random.Next(1, 17), bytes.Count - at)));
                    break;
            }
        }

        // Mostly with a size that fits again, so that the decoder after the header is reached.
        if (random.Next(8) != 0 && bytes.Count >= 8)
        {
            (bytes[0], bytes[1], bytes[2], bytes[3]) = (0, 0, (byte)(bytes.Count >> 8), (byte)bytes.Count);
            (bytes[4], bytes[5]) = (2, original[5]);
        }

        return [.. bytes];
    }
}
