using System.Diagnostics;
using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Processing;

namespace EventHubThroughput.Lab.Running;

/// <summary>
/// Kills this process at one of the points of a run at which a crash leaves a different state. It is off except in tests of crashes. When it is off, a point
/// costs one comparison.
/// </summary>
/// <param name="order">Where, and at which time.</param>
/// <param name="kill">Ends the process without unwinding anything.</param>
internal sealed class KillSwitch(KillOrder order, Action kill)
{
    private int reached;

    public static KillSwitch Off { get; } = new(default, static () => { });

    /// <summary>Ends the process by SIGKILL: no buffer is flushed, no ownership is released, no service is notified.</summary>
    public static KillSwitch OfProcess(KillOrder order) =>
        new(
            order,
            static () =>
            {
                using var self = Process.GetCurrentProcess();
                self.Kill();
            }
        );

    /// <summary>Called when the run reaches this point.</summary>
    public void Reached(KillPoint point)
    {
        if (point == order.Point && point != KillPoint.None && Interlocked.Increment(ref reached) == order.Nth)
        {
            kill();
        }
    }

    /// <summary>Passes the points that are in the session of a partition. Returns none when it is off.</summary>
    /// <param name="sinks">The names of the sinks, by place.</param>
    public IEnumerable<PartitionObserver> ObserversOf(IReadOnlyList<string> sinks) => order.Point == KillPoint.None ? [] : [new SessionPoints(this, sinks)];

    /// <summary>The observer of the clients' operations, or null when no point is inside them.</summary>
    /// <param name="settings">Which container is which.</param>
    public Action<OperationStep>? GetObserver(MessagingSettings settings) => order.Point == KillPoint.None ? null : step => Reached(GetPoint(step, settings));

    private static KillPoint GetPoint(OperationStep step, MessagingSettings settings) =>
        (step.Moment, step.Blob) switch
        {
            (OperationMoment.OnTheWire, null) => KillPoint.MessageOnTheWire,
            (OperationMoment.OnTheWire, _) when step.Entity == settings.ArchiveContainer => KillPoint.BlobHalfSent,
            (OperationMoment.Answered, _) when step.Entity == settings.ArchiveContainer => KillPoint.AfterBlobStored,
            (OperationMoment.OnTheWire, _) when step.Entity == settings.DeadLetterContainer => KillPoint.DeadLetterHalfSent,
            (OperationMoment.OnTheWire, { } blob) when IsCheckpoint(blob) => KillPoint.CheckpointOnTheWire,
            (OperationMoment.Answered, { } blob) when IsCheckpoint(blob) => KillPoint.AfterCheckpointStored,
            (OperationMoment.OnTheWire, _) when step.Metadata?.GetValueOrDefault("ownerid") is "" => KillPoint.ReleaseOnTheWire,
            _ => KillPoint.None,
        };

    // The official layout: namespace/hub/group/checkpoint/partition, beside .../ownership/partition.
    private static bool IsCheckpoint(string blob) => blob.Split('/') is [.., "checkpoint", _];

    // Called under the lock of one ownership.
    private sealed class SessionPoints(KillSwitch killSwitch, IReadOnlyList<string> sinks) : PartitionObserver
    {
        // How many sinks have the events that are not complete.
        private readonly Dictionary<long, int> acknowledged = [];

        public override void HandedOver(IReadOnlyList<EventSlot> events, int outstanding) => killSwitch.Reached(KillPoint.BeforeFirstWrite);

        public override void Acknowledged(long sequence, int sink, TimeSpan elapsed)
        {
            var having = acknowledged.GetValueOrDefault(sequence) + 1;
            acknowledged[sequence] = having;
            if (having == 1 && sinks[sink] == ServiceBusSink.SinkName)
            {
                killSwitch.Reached(KillPoint.AfterMessageAcknowledged);
            }

            if (having == sinks.Count)
            {
                killSwitch.Reached(KillPoint.AfterEventCompleted);
            }
        }

        public override void Completed(in EventCompletion completion)
        {
            acknowledged.Remove(completion.Sequence);
            if (completion.Passed > 0)
            {
                killSwitch.Reached(KillPoint.AfterWatermarkMoved);
            }
        }

        public override void BatchEnding() => killSwitch.Reached(KillPoint.BeforeBatchEnd);

        public override void Closing() => killSwitch.Reached(KillPoint.BeforeLastCheckpoint);
    }
}
