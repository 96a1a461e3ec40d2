using k8s;
using k8s.Models;

namespace EventHubThroughput.Repository.Tests.Deployment;

/// <summary>The part of KEDA's <c>ScaledObject</c> that this project uses, as its documentation names it (keda.sh, "ScaledObject specification").</summary>
internal sealed class ScaledObject : IKubernetesObject
{
    public string ApiVersion { get; set; } = "";

    public string Kind { get; set; } = "";

    public V1ObjectMeta Metadata { get; set; } = new();

    public ScaledObjectSpecification Spec { get; set; } = new();
}

internal sealed class ScaledObjectSpecification
{
    public ScaleTarget ScaleTargetRef { get; set; } = new();

    public int PollingInterval { get; set; }

    public int CooldownPeriod { get; set; }

    public int MinReplicaCount { get; set; }

    public int MaxReplicaCount { get; set; }

    public List<ScaleTrigger> Triggers { get; set; } = [];
}

internal sealed class ScaleTarget
{
    public string Name { get; set; } = "";
}

internal sealed class ScaleTrigger
{
    public string Type { get; set; } = "";

    public Dictionary<string, string> Metadata { get; set; } = [];
}
