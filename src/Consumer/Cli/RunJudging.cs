using EventHubThroughput.Clients;
using EventHubThroughput.Consumer.Reporting;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Consumer.Cli;

/// <summary>Judges a run by its ledger and journal, whoever keeps them.</summary>
internal static class RunJudging
{
    /// <param name="options">The run.</param>
    /// <param name="settings">Where its events came from and went.</param>
    /// <param name="sources">The ledger and the journal; null when there are none.</param>
    /// <param name="named">Whether the ledger may hold other runs and this one is known by name.</param>
    /// <param name="finished">Whether the run came to its end.</param>
    public static Judgement Judge(ConsumerOptions options, MessagingSettings settings, (string Ledger, string Journal)? sources, bool named, bool finished) =>
        sources is var (ledger, journal)
            ? Judgement.Of(
                ledger,
                journal,
                new VerificationScope
                {
                    Hub = settings.EventHubName,
                    Group = settings.ConsumerGroup,
                    MessageEntity = settings.MessageEntity!,
                    ArchiveContainer = settings.ArchiveContainer,
                    CheckpointContainer = settings.CheckpointContainer,
                    DeadLetterContainer = settings.DeadLetterContainer,
                    ReplayLimit = options.Limits.Replay,
                    AcceptsExpired = options.AcceptGap,
                    Promise = Enum.Parse<OrderPromise>(options.Strategy.Ordering.ToString()),
                    Run = named ? options.Run : null,
                    RunFinished = finished,
                }
            )
            : Judgement.NothingNamed;
}
