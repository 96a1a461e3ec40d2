namespace EventHubThroughput.Amqp;

/// <summary>Arithmetic of transfer-ids, delivery-ids and delivery-counts: modulo 2^32 (RFC 1982).</summary>
internal static class SerialNumber
{
    /// <summary>How far <paramref name="a"/> is ahead of <paramref name="b"/>. Negative when behind.</summary>
    public static int Distance(uint a, uint b) => unchecked((int)(a - b));

    /// <summary>What a peer may still send: its view of our count plus its allowance less our count, never below 0.</summary>
    public static uint Allowance(uint seen, uint allowance, uint count)
    {
        // The difference is small and signed, the allowance up to 2^32 - 1: 64 bits hold both.
        var left = (long)allowance + Distance(seen, count);
        return (uint)Math.Clamp(left, 0, uint.MaxValue);
    }
}
