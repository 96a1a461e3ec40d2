using System.Collections.Concurrent;
using System.Diagnostics;
using EventHubThroughput.Clients;
using EventHubThroughput.Consumer.Measurement;

namespace EventHubThroughput.Consumer.Supervision;

/// <summary>
/// Kills this process at one of the points of a run at which a crash leaves something different behind. Off, which it is but for
/// tests of crashes, a point costs one comparison.
/// </summary>
/// <param name="order">Where, and at which time.</param>
/// <param name="kill">Ends the process without unwinding anything.</param>
internal sealed class KillSwitch(KillOrder order, Action kill)
{
    // Used for K3 and K6 alone: which events one sink has and the other not.
    private readonly ConcurrentDictionary<(string Partition, long Sequence), Stage> half = new();
    private int reached;

    public static KillSwitch Off { get; } = new(default, static () => { });

    /// <summary>Dies by SIGKILL: nothing is flushed, nothing released, nobody told.</summary>
    public static KillSwitch OfProcess(KillOrder order) =>
        new(
            order,
            static () =>
            {
                using var self = Process.GetCurrentProcess();
                self.Kill();
            }
        );

    /// <summary>The run has come to this point.</summary>
    public void Reached(KillPoint point)
    {
        if (point == order.Point && point != KillPoint.None && Interlocked.Increment(ref reached) == order.Nth)
        {
            kill();
        }
    }

    /// <summary>A sink has acknowledged an event of which the watermark has not heard yet.</summary>
    public void Acknowledged(string partition, long sequence, Stage stage)
    {
        if (order.Point is not (KillPoint.K3 or KillPoint.K6))
        {
            return;
        }

        if (half.TryAdd((partition, sequence), stage))
        {
            if (stage == Stage.ServiceBus)
            {
                Reached(KillPoint.K3);
            }
        }
        else if (half.TryRemove((partition, sequence), out _))
        {
            Reached(KillPoint.K6);
        }
    }

    /// <summary>What the clients are to tell, or null when no point lies inside them.</summary>
    /// <param name="settings">Which container is which.</param>
    public Action<OperationStep>? ObserverOf(MessagingSettings settings) => order.Point == KillPoint.None ? null : step => Reached(PointOf(step, settings));

    private static KillPoint PointOf(OperationStep step, MessagingSettings settings) =>
        (step.Moment, step.Blob) switch
        {
            (OperationMoment.OnTheWire, null) => KillPoint.K2,
            (OperationMoment.OnTheWire, _) when step.Entity == settings.ArchiveContainer => KillPoint.K4,
            (OperationMoment.Answered, _) when step.Entity == settings.ArchiveContainer => KillPoint.K5,
            (OperationMoment.OnTheWire, _) when step.Entity == settings.DeadLetterContainer => KillPoint.K14,
            (OperationMoment.OnTheWire, { } blob) when IsCheckpoint(blob) => KillPoint.K8,
            (OperationMoment.Answered, { } blob) when IsCheckpoint(blob) => KillPoint.K9,
            (OperationMoment.OnTheWire, _) when step.Metadata?.GetValueOrDefault("ownerid") is "" => KillPoint.K12,
            _ => KillPoint.None,
        };

    // The official layout: namespace/hub/group/checkpoint/partition, beside .../ownership/partition.
    private static bool IsCheckpoint(string blob) => blob.Split('/') is [.., "checkpoint", _];
}
