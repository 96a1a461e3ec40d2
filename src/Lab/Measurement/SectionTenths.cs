namespace EventHubThroughput.Lab.Measurement;

/// <summary>The tenths of a second into which the first half hour of a section is divided.</summary>
internal static class SectionTenths
{
    public const int InASecond = 10;
    public const int Most = 30 * 60 * InASecond;

    /// <summary>Raw timestamps in one of them.</summary>
    public static long WidthOf(long timestampFrequency) => Math.Max(1, timestampFrequency / InASecond);
}
