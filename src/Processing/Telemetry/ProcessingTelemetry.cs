using EventHubThroughput.Clients;
using EventHubThroughput.Processing.Telemetry;

namespace EventHubThroughput.Processing;

/// <summary>
/// Metrics and activities of a processing without a host, under the names that OpenTelemetry gives to messaging. Its observers belong into
/// <see cref="ProcessingOptions.Observers"/>, and each sink is passed through <see cref="Trace"/>. A host is given both by itself.
/// </summary>
public sealed class ProcessingTelemetry : IDisposable
{
    /// <summary>The name of the meter and of the source of activities.</summary>
    public const string Name = ProcessingInstruments.Name;

    private readonly MessagingSettings settings;
    private readonly ProcessingInstruments instruments;
    private readonly BatchTraces batches;
    private readonly bool owned;

    /// <summary>Makes the instruments. They cost next to nothing until somebody listens.</summary>
    /// <param name="settings">Where the services are, for the attributes.</param>
    public ProcessingTelemetry(MessagingSettings settings)
        : this(settings, new ProcessingInstruments(meters: null)) => owned = true;

    internal ProcessingTelemetry(MessagingSettings settings, ProcessingInstruments instruments)
    {
        ArgumentNullException.ThrowIfNull(settings);
        this.settings = settings;
        this.instruments = instruments;
        batches = new BatchTraces(settings, instruments.Activities);
    }

    /// <summary>What measures and traces one ownership of a partition.</summary>
    /// <param name="partition">The partition.</param>
    public IReadOnlyList<PartitionObserver> ObserversOf(string partition) =>
        [new TelemetryObserver(partition, settings, instruments), batches.ObserverOf(partition)];

    /// <summary>The same sink, each try of whose writes is an activity.</summary>
    /// <param name="sink">The sink.</param>
    public SinkDescriptor Trace(SinkDescriptor sink)
    {
        ArgumentNullException.ThrowIfNull(sink);
        return sink with { Create = context => TracedSink.Around(sink.Create(context), settings, instruments.Activities, batches) };
    }

    /// <summary>Gives the meter and the source back, where they are this object's own.</summary>
    public void Dispose()
    {
        if (owned)
        {
            instruments.Dispose();
        }
    }
}
