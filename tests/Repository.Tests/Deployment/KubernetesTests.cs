using System.Globalization;
using EventHubThroughput.Testing;
using k8s;
using k8s.Models;
using Xunit;

namespace EventHubThroughput.Repository.Tests.Deployment;

/// <summary>
/// The manifests of deploy/kubernetes against the schema of Kubernetes, strictly, and against what this project promises of them. An unknown member fails.
/// That they start is not tested: these tests have no cluster.
/// </summary>
public sealed class KubernetesTests
{
    /// <summary>Metadata of KEDA's scaler `azure-eventhub` (keda.sh, "Azure Event Hubs").</summary>
    private static readonly string[] ScalerMetadata =
    [
        "activationUnprocessedEventThreshold",
        "blobContainer",
        "checkpointStrategy",
        "connectionFromEnv",
        "consumerGroup",
        "eventHubName",
        "eventHubNameFromEnv",
        "eventHubNamespace",
        "eventHubNamespaceFromEnv",
        "storageAccountName",
        "storageConnectionFromEnv",
        "unprocessedEventThreshold",
    ];

    private static readonly V1Deployment Deployment = Read<V1Deployment>("consumer.yaml", "apps/v1/Deployment");

    private static readonly ScaledObject Scaling = Read<ScaledObject>("scaled-object.yaml", "keda.sh/v1alpha1/ScaledObject");

    private static V1Container Consumer => Assert.Single(Deployment.Spec.Template.Spec.Containers);

    [Fact]
    public void The_grace_period_is_longer_than_the_drain_limit()
    {
        var limit = Assert.Single(Consumer.Args, static argument => argument.StartsWith("--drain-limit=", StringComparison.Ordinal));
        var seconds = int.Parse(limit["--drain-limit=".Length..].TrimEnd('s'), CultureInfo.InvariantCulture);

        Assert.True(Deployment.Spec.Template.Spec.TerminationGracePeriodSeconds >= seconds + 15, "a kill during the drain redelivers the events in flight");
    }

    [Fact]
    public void The_consumer_is_not_root_and_cannot_write_outside_of_its_volume()
    {
        var pod = Deployment.Spec.Template.Spec;
        var container = Consumer.SecurityContext;

        Assert.True(pod.SecurityContext.RunAsNonRoot);
        Assert.NotEqual(0, pod.SecurityContext.RunAsUser);
        Assert.Equal("RuntimeDefault", pod.SecurityContext.SeccompProfile.Type);
        Assert.False(pod.AutomountServiceAccountToken);
        Assert.True(container.ReadOnlyRootFilesystem);
        Assert.False(container.AllowPrivilegeEscalation);
        Assert.Equal(["ALL"], container.Capabilities.Drop);
        var volume = Assert.Single(pod.Volumes);
        Assert.NotNull(volume.EmptyDir.SizeLimit);
        Assert.Equal((volume.Name, "/tmp"), (Assert.Single(Consumer.VolumeMounts).Name, Consumer.VolumeMounts[0].MountPath));
    }

    [Fact]
    public void The_consumer_has_requests_and_limits_of_processor_and_memory()
    {
        foreach (var resource in new[] { "cpu", "memory" })
        {
            Assert.True(Consumer.Resources.Requests[resource].ToDecimal() <= Consumer.Resources.Limits[resource].ToDecimal(), resource);
        }
    }

    [Fact]
    public void Readiness_follows_the_health_path_and_a_drain_does_not_fail_liveness()
    {
        var port = Assert.Single(Consumer.Ports);

        Assert.Contains($"--metrics-port={port.ContainerPort}", Consumer.Args);
        Assert.Equal(port.ContainerPort.ToString(CultureInfo.InvariantCulture), Deployment.Spec.Template.Metadata.Annotations["prometheus.io/port"]);
        Assert.Equal(("/healthz", port.Name), (Consumer.ReadinessProbe.HttpGet.Path, Consumer.ReadinessProbe.HttpGet.Port.Value));
        Assert.Null(Consumer.LivenessProbe.HttpGet);
        Assert.Equal(port.Name, Consumer.LivenessProbe.TcpSocket.Port.Value);
    }

    [Fact]
    public void The_selector_chooses_the_pods_and_the_scaler_the_deployment()
    {
        Assert.All(Deployment.Spec.Selector.MatchLabels, label => Assert.Equal(label.Value, Deployment.Spec.Template.Metadata.Labels[label.Key]));
        Assert.Null(Deployment.Spec.Replicas);
        Assert.Equal(Deployment.Metadata.Name, Scaling.Spec.ScaleTargetRef.Name);
        Assert.True(Scaling.Spec.MinReplicaCount >= 1, "a group without a consumer would need KEDA to start the first one");
        Assert.True(Scaling.Spec.MaxReplicaCount > Scaling.Spec.MinReplicaCount);
    }

    [Fact]
    public void The_scaler_has_documented_metadata_and_names_variables_of_the_consumer()
    {
        var variables = File.ReadAllText(RepositoryFiles.GetPath("docs", "azure.md"));
        var trigger = Assert.Single(Scaling.Spec.Triggers);

        Assert.Equal("azure-eventhub", trigger.Type);
        Assert.All(trigger.Metadata.Keys, static key => Assert.Contains(key, ScalerMetadata));
        Assert.All(
            trigger.Metadata.Where(static entry => entry.Key.EndsWith("FromEnv", StringComparison.Ordinal)),
            entry => Assert.Contains($"`{entry.Value}`", variables, StringComparison.Ordinal)
        );
        Assert.Equal(
            ("blobMetadata", "checkpoints", "$Default"),
            (trigger.Metadata["checkpointStrategy"], trigger.Metadata["blobContainer"], trigger.Metadata["consumerGroup"])
        );
        Assert.True(int.Parse(trigger.Metadata["unprocessedEventThreshold"], CultureInfo.InvariantCulture) > 0);
    }

    [Fact]
    public void A_member_outside_of_the_schema_is_refused()
    {
        var text = File.ReadAllText(RepositoryFiles.GetPath("deploy", "kubernetes", "consumer.yaml"));
        Assert.ThrowsAny<Exception>(() =>
            KubernetesYaml.LoadAllFromString(text.Replace("periodSeconds", "periodSecond", StringComparison.Ordinal), strict: true)
        );
    }

    private static T Read<T>(string file, string type) =>
        Assert.IsType<T>(
            Assert.Single(
                KubernetesYaml.LoadAllFromString(
                    File.ReadAllText(RepositoryFiles.GetPath("deploy", "kubernetes", file)),
                    new Dictionary<string, Type>(StringComparer.Ordinal) { [type] = typeof(T) },
                    strict: true
                )
            )
        );
}
