using EventHubThroughput.Clients;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Verifying;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Running;

/// <summary>Judges a run by its ledger and journal, for every owner of these files.</summary>
internal static class RunVerification
{
    /// <param name="options">The run.</param>
    /// <param name="settings">Where its events came from and went.</param>
    /// <param name="sources">The ledger and the journal. Null when there are none.</param>
    /// <param name="named">Whether the ledger may hold other runs and this one has a known name.</param>
    /// <param name="endedEarly">Whether a signal or a fault ended it, so that it does not claim completion.</param>
    public static VerdictReport Judge(RunOptions options, MessagingSettings settings, (string Ledger, string Journal)? sources, bool named, bool endedEarly)
    {
        var verdictReport = sources is var (ledger, journal)
            ? VerdictReport.Of(ledger, journal, GetScope(options, settings, named), endedEarly)
            : VerdictReport.NothingNamed;
        return Limited(verdictReport, options);
    }

    /// <summary>The judgement with a note about what it does not cover.</summary>
    public static VerdictReport Limited(VerdictReport verdictReport, RunOptions options) =>
        verdictReport with
        {
            // Handlers alone are judged by their acknowledgements.
            Unjudged = HandlerRecord.IsNeeded(options) ? [] : [.. options.Sinks.Select(static sink => sink.Name).Except(JudgedSinks.Names)],
        };

    /// <summary>Which run is judged, and where its events went.</summary>
    public static VerificationScope GetScope(RunOptions options, MessagingSettings settings, bool named) =>
        new()
        {
            Hub = settings.EventHubName,
            Group = settings.ConsumerGroup,
            MessageEntity = settings.MessageEntity!,
            ArchiveContainer = settings.ArchiveContainer,
            Sinks = HandlerRecord.IsNeeded(options) ? SinkSet.Handlers : JudgedSinks.Of(options.Sinks.Select(static sink => sink.Name)),
            Handlers = [.. options.Sinks.Select(static sink => sink.Name)],
            Acknowledgements = options.Outputs.Acknowledgements is { } path && File.Exists(path) ? HandlerRecord.Read(path) : null,
            CheckpointContainer = settings.CheckpointContainer,
            DeadLetterContainer = settings.DeadLetterContainer,
            ReplayLimit = options.Processing.Limits.Replay,
            AcceptsExpired = options.Processing.AcceptGaps,
            UpToCheckpoint = options.Measuring?.Length is not null,
            Promise = OrderPromises.GetPromise(options.Processing.Strategy),
            Run = named ? options.Run : null,
        };
}
