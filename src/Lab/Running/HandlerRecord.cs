using System.Globalization;
using EventHubThroughput.Clients;
using EventHubThroughput.Journal;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Verifying;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Running;

/// <summary>
/// The record of a run of handlers alone: what they acknowledge, and when a checkpoint is about to be sent. It is made at the handlers and at the storage
/// client, and not by what is judged between them.
/// </summary>
internal sealed class HandlerRecord : IDisposable
{
    private readonly AcknowledgementWriter writer;
    private readonly string checkpointContainer;

    private HandlerRecord(AcknowledgementWriter writer, string checkpointContainer) => (this.writer, this.checkpointContainer) = (writer, checkpointContainer);

    /// <summary>Whether ledger and journal have no evidence of what a run with these sinks has written.</summary>
    public static bool IsNeeded(RunOptions options) => JudgedSinks.Of(options.Sinks.Select(static sink => sink.Name)) == SinkSet.None;

    /// <summary>The path of the record of a run in a folder.</summary>
    public static string GetPath(string folder, string run) => Path.Combine(folder, $"{run}.acknowledgements");

    /// <summary>The lines of a record. The file is opened when they are read.</summary>
    public static IEnumerable<Acknowledgement> Read(string path)
    {
        foreach (var line in AcknowledgementFile.Open(path).Lines)
        {
            yield return line;
        }
    }

    /// <summary>Starts the record. Null if the run writes none.</summary>
    /// <param name="options">The run.</param>
    /// <param name="checkpointContainer">The container of its checkpoints.</param>
    /// <exception cref="FailureException">The file cannot be written.</exception>
    public static HandlerRecord? Open(RunOptions options, string checkpointContainer)
    {
        if (options.Outputs.Acknowledgements is not { } path)
        {
            return null;
        }

        try
        {
            return new HandlerRecord(AcknowledgementWriter.Open(path), checkpointContainer);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or JournalFormatException)
        {
            throw new FailureException(FailureCause.NotWritable, $"{path}: {exception.Message}", exception);
        }
    }

    /// <summary>The sink, whose acknowledgements are recorded before the caller receives them.</summary>
    public SinkDescriptor Record(SinkDescriptor sink) => sink with { Create = context => RecordedSink.Over(sink.Create(context), writer) };

    /// <summary>An observer of the clients that records checkpoints before they are stored.</summary>
    /// <param name="next">Another observer, or null.</param>
    public Action<OperationStep> Observe(Action<OperationStep>? next) =>
        step =>
        {
            if (
                step is { Moment: OperationMoment.OnTheWire, Blob: { } blob }
                && step.Entity == checkpointContainer
                && blob.Split('/') is [.., "checkpoint", var partition]
                && long.TryParse(step.Metadata?.GetValueOrDefault("sequencenumber"), NumberStyles.None, CultureInfo.InvariantCulture, out var position)
            )
            {
                writer.BeginCheckpoint(partition, position);
            }

            next?.Invoke(step);
        };

    public void Dispose() => writer.Dispose();
}
