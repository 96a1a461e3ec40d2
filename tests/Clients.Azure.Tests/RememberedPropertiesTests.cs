using EventHubThroughput.Clients.Azure.Messages;
using Xunit;

namespace EventHubThroughput.Clients.Azure.Tests;

public sealed class RememberedPropertiesTests
{
    private static readonly Dictionary<string, object?> Plain = new(StringComparer.Ordinal)
    {
        ["text"] = "value",
        ["number"] = 7L,
        ["bytes"] = new byte[] { 1, 2 },
        ["nothing"] = null,
    };

    [Fact]
    public void The_bytes_are_those_of_the_plain_values() =>
        Assert.Equal(PlainProperties.Encode(Plain.ToArray()).ToArray(), RememberedProperties.Encode(Plain).ToArray());

    [Fact]
    public void Remembered_values_are_copied_as_they_are()
    {
        var target = new Dictionary<string, object?>(StringComparer.Ordinal);

        RememberedProperties.CopyTo(RememberedProperties.Encode(Plain), target);

        Assert.Equal(Plain, target);
        Assert.Same(Plain["text"], target["text"]);
    }

    [Fact]
    public void Bytes_without_a_memory_are_decoded()
    {
        var target = new Dictionary<string, object?>(StringComparer.Ordinal);

        RememberedProperties.CopyTo(RememberedProperties.Encode(Plain).ToArray(), target);

        Assert.Equal(Plain, target);
    }

    [Fact]
    public void No_values_are_encoded_as_no_bytes() => Assert.True(RememberedProperties.Encode(new Dictionary<string, object?>()).IsEmpty);
}
