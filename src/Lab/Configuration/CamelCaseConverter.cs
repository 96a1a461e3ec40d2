using System.Text.Json;
using System.Text.Json.Serialization;

namespace EventHubThroughput.Lab.Configuration;

/// <summary>An enum by the names of its members, in camel case. Never by number.</summary>
internal sealed class CamelCaseConverter<T>() : JsonStringEnumConverter<T>(JsonNamingPolicy.CamelCase, allowIntegerValues: false)
    where T : struct, Enum;
