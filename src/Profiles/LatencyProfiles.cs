namespace EventHubThroughput.Profiles;

/// <summary>The built-in profiles.</summary>
public static class LatencyProfiles
{
    public static LatencyProfile None { get; } = new("none");

    /// <summary>Reproduces the four published rates of the article within 6 %. Senders are served in turn.</summary>
    public static LatencyProfile Article { get; } =
        new("article")
        {
            MessageSend = new()
            {
                SerialMilliseconds = 3.32,
                MeanMilliseconds = 14.88,
                DeviationMilliseconds = 0.65,
            },
            BlobWrite = new()
            {
                SerialMilliseconds = 0.65,
                MeanMilliseconds = 8.68,
                DeviationMilliseconds = 1.56,
            },
            CheckpointWrite = new() { MeanMilliseconds = 24.7, DeviationMilliseconds = 1.75 },
            EventReceive = new() { MeanMilliseconds = 8 },
        };

    /// <summary>For comparisons with the closed forms.</summary>
    public static LatencyProfile ArticleConstant { get; } = Sinks("article-constant", DrawShape.Lognormal, 18.52, 9.35, 24.7, variation: 0);

    /// <summary>The profile of the numeric goals.</summary>
    public static LatencyProfile ArticleSpread { get; } = Sinks("article-spread", DrawShape.Gamma, 18.52, 9.35, 24.7, variation: 0.5);

    public static LatencyProfile LongTail { get; } = Sinks("long-tail", DrawShape.Lognormal, 18.52, 9.35, 24.7, variation: 0.95);

    /// <summary>Stragglers at fixed intervals, so that runs are repeatable.</summary>
    public static LatencyProfile Stragglers { get; } =
        ArticleSpread with
        {
            Name = "stragglers",
            MessageSend = ArticleSpread.MessageSend with { StragglerEvery = 1_000, StragglerMilliseconds = 2_000 },
        };

    /// <summary>One throughput unit and one messaging namespace of the standard tier. The latencies are assumed, the quotas documented.</summary>
    public static LatencyProfile AzureStandard { get; } =
        (
            Sinks("azure-standard", DrawShape.Lognormal, 12, 8, 10, variation: 0.6) with
            {
                ServiceBusQuota = new RateQuota { OperationsPerSecond = 1_000, AdviseSeconds = 2 },
                BlobQuota = new RateQuota { OperationsPerSecond = 20_000, AdviseSeconds = 1 },
            }
        ).WithThroughputUnits(1);

    public static LatencyProfile AzurePremium { get; } =
        Sinks("azure-premium", DrawShape.Lognormal, 12, 8, 10, variation: 0.6)
            .With(EmulatedOperation.EventDeliver, new() { BytesPerSecond = 4 * RateQuota.Mebibyte });

    /// <summary>For adaptive strategies: everything is slower for a minute.</summary>
    public static LatencyProfile Step { get; } = ArticleSpread with { Name = "step", Steps = [new TimeStep(60, 120, 2)] };

    /// <summary>About 66 ms per message, so that eight concurrent messages give about 120 a second.</summary>
    public static LatencyProfile Processor { get; } =
        new LatencyProfile("processor") { MessageSend = LatencyLaw.Spread(DrawShape.Gamma, 33, 0.5) }.With(
            EmulatedOperation.MessageSettle,
            LatencyLaw.Spread(DrawShape.Gamma, 33, 0.5)
        );

    /// <summary>Rewards batches: the quota counts sends of any size.</summary>
    public static LatencyProfile Ops200 { get; } =
        ArticleSpread with
        {
            Name = "ops-200",
            MessageSend = new() { OperationsPerSecond = 200 },
        };

    public static IReadOnlyList<LatencyProfile> All { get; } =
    [None, Article, ArticleConstant, ArticleSpread, LongTail, Stragglers, AzureStandard, AzurePremium, Step, Knee(8), Knee(40), Knee(150), Processor, Ops200];

    public static IReadOnlyList<string> Names { get; } = [.. All.Select(static profile => profile.Name)];

    public static LatencyProfile Named(string name) => All.Single(profile => profile.Name == name);

    private static LatencyProfile Sinks(string name, DrawShape shape, double message, double blob, double checkpoint, double variation) =>
        new(name)
        {
            MessageSend = LatencyLaw.Spread(shape, message, variation),
            BlobWrite = LatencyLaw.Spread(shape, blob, variation),
            CheckpointWrite = LatencyLaw.Spread(shape, checkpoint, variation),
        };

    private static LatencyProfile Knee(int places) =>
        new($"knee-{places}")
        {
            MessageSend = new() { MeanMilliseconds = 10, Concurrency = places },
            BlobWrite = new() { MeanMilliseconds = 5 },
            CheckpointWrite = new() { MeanMilliseconds = 10 },
        };
}
