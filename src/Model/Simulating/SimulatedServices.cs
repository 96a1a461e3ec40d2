using EventHubThroughput.Profiles;

namespace EventHubThroughput.Model.Simulating;

/// <summary>The services of a run: one sender, one blob endpoint and one namespace for all partitions.</summary>
internal sealed class SimulatedServices
{
    private const int MessagesTogether = 100;

    // The sources of random numbers of described writes follow those of operations, of back-offs and of keys.
    private const int FirstWrite = 10_000;
    private const int FirstWriteBackOff = 11_000;

    private readonly Calendar calendar;
    private readonly ModelSettings settings;
    private readonly SimulatedLaw receive;
    private readonly SimulatedLaw deliver;
    private readonly SimulatedQuota[] quotas;

    public SimulatedServices(Calendar calendar, ModelSettings settings, SimulationCounters tally)
    {
        (this.calendar, this.settings) = (calendar, settings);
        var profile = settings.Profile;
        var messages = GetQuota(profile.ServiceBusQuota);
        var blobs = GetQuota(profile.BlobQuota);
        quotas = [.. new[] { messages, blobs }.OfType<SimulatedQuota>()];
        Sinks =
            settings.Writes.Count > 0
                ? [.. settings.Writes.Select((write, number) => new SimulatedSink(GetService(write, number), MostTogether: 1))]
                :
                [
                    new(GetService(EmulatedOperation.MessageSend, messages, elapsed => tally.Sent(calendar.Now, elapsed)), MessagesTogether),
                    new(GetService(EmulatedOperation.BlobWrite, blobs, elapsed => tally.Uploaded(calendar.Now, elapsed)), MostTogether: 1),
                ];
        Checkpoint = GetService(EmulatedOperation.CheckpointWrite, blobs, static _ => { });
        receive = GetLaw(EmulatedOperation.EventReceive);
        deliver = GetLaw(EmulatedOperation.EventDeliver);
        Processors = new SimulatedProcessors(settings.Processors);
    }

    /// <summary>The sinks of an event: sends of messages and uploads, or the described writes.</summary>
    public IReadOnlyList<SimulatedSink> Sinks { get; }

    /// <summary>Writes of checkpoints. They share the quota of the uploads.</summary>
    public SimulatedService Checkpoint { get; }

    /// <summary>The processors for the handlers' work.</summary>
    public SimulatedProcessors Processors { get; }

    /// <summary>Operations that were refused.</summary>
    public long Throttles => quotas.Sum(static quota => quota.Refused);

    /// <summary>Creates a reader of one partition.</summary>
    public SimulatedReader CreateReader() => new(calendar, receive, deliver, settings);

    /// <summary>Creates a separate source of random numbers.</summary>
    public Random GetRandom(int number) => new(unchecked((settings.Seed * 486_187_739) + (number * 16_777_619)));

    private static SimulatedQuota? GetQuota(RateQuota quota) => quota.IsNone ? null : new SimulatedQuota(quota);

    private SimulatedLaw GetLaw(EmulatedOperation operation) => new(settings.Profile.Of(operation), settings.Profile, GetRandom((int)operation));

    private SimulatedService GetService(EmulatedOperation operation, SimulatedQuota? quota, Action<double> ended) =>
        new(calendar, GetLaw(operation), quota, settings.EventBytes, GetRandom(100 + (int)operation), ended);

    private SimulatedService GetService(DescribedWrite write, int number) =>
        new(
            calendar,
            new SimulatedLaw(write.Law, settings.Profile, GetRandom(FirstWrite + number)),
            quota: null,
            settings.EventBytes,
            GetRandom(FirstWriteBackOff + number),
            static _ => { }
        );
}

/// <summary>A destination of every event.</summary>
/// <param name="Service">Does the operations.</param>
/// <param name="MostTogether">The most events of one operation, for a strategy that groups them.</param>
internal sealed record SimulatedSink(SimulatedService Service, int MostTogether);
