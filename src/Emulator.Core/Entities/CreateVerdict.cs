namespace EventHubThroughput.Emulator.Entities;

/// <summary>What came of creating an entity.</summary>
internal enum CreateVerdict
{
    Created,

    /// <summary>An entity of that name is there, with exactly these settings.</summary>
    Exists,

    /// <summary>One of that name is there and differs: a hub keeps its partitions for life.</summary>
    Differs,

    /// <summary>The emulator holds as many entities as it may.</summary>
    TooMany,

    /// <summary>The topic of a subscription is not there.</summary>
    NoTopic,
}
