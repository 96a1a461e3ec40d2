namespace EventHubThroughput.Emulator.Entities;

/// <summary>The result of creating an entity.</summary>
internal enum CreateVerdict
{
    Created,

    /// <summary>An entity with this name and these settings exists.</summary>
    Exists,

    /// <summary>An entity with this name and other settings exists. A hub can never change its partitions.</summary>
    Differs,

    /// <summary>The emulator has the maximum number of entities.</summary>
    TooMany,

    /// <summary>The topic of a subscription does not exist.</summary>
    NoTopic,
}
