using EventHubThroughput.Clients;
using EventHubThroughput.Processing.Telemetry;

namespace EventHubThroughput.Processing;

/// <summary>
/// Metrics and activities of a processing without a host, under the names of OpenTelemetry for messaging. Add its observers to
/// <see cref="ProcessingOptions.Observers"/>, and pass each sink through <see cref="Trace"/>. A host does both automatically.
/// </summary>
public sealed class ProcessingTelemetry : IDisposable
{
    /// <summary>The name of the meter and of the source of activities.</summary>
    public const string Name = ProcessingInstruments.Name;

    private readonly MessagingSettings settings;
    private readonly ProcessingInstruments instruments;
    private readonly BatchTraces batches;
    private readonly bool owned;

    /// <summary>Creates the instruments. They cost almost nothing without a listener.</summary>
    /// <param name="settings">The addresses of the services, for the attributes.</param>
    public ProcessingTelemetry(MessagingSettings settings)
        : this(settings, new ProcessingInstruments(meters: null)) => owned = true;

    internal ProcessingTelemetry(MessagingSettings settings, ProcessingInstruments instruments)
    {
        ArgumentNullException.ThrowIfNull(settings);
        this.settings = settings;
        this.instruments = instruments;
        batches = new BatchTraces(settings, instruments.Activities);
    }

    /// <summary>Creates the observers that measure and trace one ownership of a partition.</summary>
    /// <param name="partition">The partition.</param>
    public IReadOnlyList<PartitionObserver> ObserversOf(string partition) =>
        [new TelemetryObserver(partition, settings, instruments), batches.GetObserver(partition)];

    /// <summary>Wraps a sink so that each try of its writes is an activity.</summary>
    /// <param name="sink">The sink.</param>
    public SinkDescriptor Trace(SinkDescriptor sink)
    {
        ArgumentNullException.ThrowIfNull(sink);
        return sink with { Create = context => TracedSink.Around(sink.Create(context), settings, instruments.Activities, batches) };
    }

    /// <summary>Disposes of the meter and the source if this object owns them.</summary>
    public void Dispose()
    {
        if (owned)
        {
            instruments.Dispose();
        }
    }
}
