namespace EventHubThroughput.Amqp.Codec;

/// <summary>The limits of a decoder. A peer cannot make it use more memory or stack than its bytes justify.</summary>
internal static class CodecLimits
{
    /// <summary>Nesting of lists, maps, arrays and described values.</summary>
    public const int Depth = 32;

    /// <summary>Elements of one list, map (keys and values) or array.</summary>
    public const int Elements = 65_536;

    /// <summary>Array elements that have no bytes (null, true, empty list), in all arrays that one reader decodes.</summary>
    public const int WidthlessElements = 1_024;
}
