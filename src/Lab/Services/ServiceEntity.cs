using System.Text.Json.Serialization;
using EventHubThroughput.Lab.Configuration;

namespace EventHubThroughput.Lab.Services;

/// <summary>The kinds of entities that a comparison creates on services. They are removed in this order.</summary>
[JsonConverter(typeof(CamelCaseConverter<EntityKind>))]
internal enum EntityKind
{
    ConsumerGroup,
    Queue,
    Subscription,
    Topic,
    Container,
}

/// <summary>An entity of the services.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Name">Its name. That of a consumer group is one of the event hub of the settings.</param>
/// <param name="Topic">The topic of a subscription. Null for other kinds.</param>
internal sealed record ServiceEntity(EntityKind Kind, string Name, string? Topic = null)
{
    /// <summary>What the names of all created entities begin with.</summary>
    public const string Prefix = "eht-";
}
