using System.Text.Json.Serialization;

namespace EventHubThroughput.Processing.Tests.Doubles;

internal sealed record Order(string Id, int Count);

[JsonSerializable(typeof(Order))]
internal sealed partial class OrderJson : JsonSerializerContext;
