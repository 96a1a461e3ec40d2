namespace EventHubThroughput.Amqp;

/// <summary>Arithmetic of transfer-ids, delivery-ids and delivery-counts: modulo 2^32 (RFC 1982).</summary>
internal static class SerialNumber
{
    /// <summary>How far <paramref name="a"/> is ahead of <paramref name="b"/>. Negative when <paramref name="b"/> is ahead.</summary>
    public static int Distance(uint a, uint b) => unchecked((int)(a - b));

    /// <summary>What a peer may still send: its count as we have seen it, plus its allowance, minus our count, never below 0.</summary>
    public static uint Allowance(uint seen, uint allowance, uint count)
    {
        // The difference is small and signed, the allowance up to 2^32 - 1: 64 bits hold both.
        var left = (long)allowance + Distance(seen, count);
        return (uint)Math.Clamp(left, 0, uint.MaxValue);
    }
}
