namespace EventHubThroughput.Interop;

/// <summary>The row of the support table that a flow speaks for. A row is supported by a client when all of its flows pass.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class FeatureAttribute(string name) : Attribute
{
    /// <summary>One of <see cref="Features"/>.</summary>
    public string Name { get; } = name;
}
