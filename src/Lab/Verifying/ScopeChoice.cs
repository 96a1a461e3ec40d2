using EventHubThroughput.Clients;
using EventHubThroughput.Settings;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Lab.Verifying;

/// <summary>What the verdict judges: by option, else by the environment, else by the evidence if it is unambiguous.</summary>
internal sealed class ScopeChoice(VerifyOptions options, MessagingSettings? settings)
{
    // The emulator's name of the default group, for a journal in which no group was used.
    private const string NoGroup = "$Default";
    private const string NoEntity = "queue";
    private const string NoArchive = "archive";
    private const string NoCheckpoints = "checkpoints";
    private const string NoDeadLetters = "deadletters";

    /// <exception cref="UsageException">The hub is not named, and the ledger has none or several.</exception>
    public string GetHub(LedgerSurvey ledger, string? run) =>
        options.Hub ?? settings?.EventHubName ?? ledger.GetHub(run) ?? throw new UsageException("--hub: not given, and the ledger has no event that names one");

    /// <summary>The scope of a journal.</summary>
    /// <exception cref="UsageException">Names are ambiguous. Every ambiguity is listed.</exception>
    public VerificationScope Of(JournalSurvey journal, string hub, string? run)
    {
        var problems = new List<string>();
        var group = Choose(options.Group ?? settings?.ConsumerGroup, "--group", "consumer groups", journal.Groups, NoGroup);
        var entity = Choose(options.Entity ?? settings?.MessageEntity, "--entity", "queues and topics", journal.Entities, NoEntity);
        var archive = Choose(options.ArchiveContainer ?? settings?.ArchiveContainer, "--archive-container", "containers of blobs", journal.Archives, NoArchive);
        var checkpoints = Choose(
            options.CheckpointContainer ?? settings?.CheckpointContainer,
            "--checkpoint-container",
            "containers of checkpoints",
            journal.CheckpointContainers,
            NoCheckpoints
        );
        var deadLetters = Choose(
            options.DeadLetterContainer ?? settings?.DeadLetterContainer,
            "--deadletter-container",
            "containers of dead letters",
            journal.DeadLetters,
            NoDeadLetters
        );
        var record = options.Acknowledgements is { } path ? AcknowledgementSurvey.Of(path) : null;
        problems.AddRange(ProblemsOf(archive, checkpoints, deadLetters));
        return problems.Count > 0
            ? throw new UsageException(problems)
            : new VerificationScope
            {
                Hub = hub,
                Group = group,
                MessageEntity = entity,
                ArchiveContainer = archive,
                CheckpointContainer = checkpoints,
                DeadLetterContainer = deadLetters,
                Sinks = options.Sinks,
                Handlers = record?.Handlers ?? [],
                Acknowledgements = record?.Lines,
                Promise = options.Promise ?? OrderPromise.None,
                ReplayLimit = options.ReplayLimit,
                UpToCheckpoint = options.UpToCheckpoint,
                Run = run,
            };

        string Choose(string? named, string option, string what, IReadOnlyCollection<string> found, string nobodys)
        {
            try
            {
                return named ?? NameChoice.Of(option, "the journal", what, found) ?? nobodys;
            }
            catch (UsageException ambiguous)
            {
                problems.AddRange(ambiguous.Problems);
                return nobodys;
            }
        }
    }

    /// <summary>The settings with the names that options give instead.</summary>
    /// <exception cref="UsageException">Two containers would be one.</exception>
    public MessagingSettings Renamed(MessagingSettings given, string hub)
    {
        var renamed = given with
        {
            EventHubName = hub,
            ConsumerGroup = options.Group ?? given.ConsumerGroup,
            Queue = options.Subscription is null ? options.Entity ?? given.Queue : null,
            Topic = options.Subscription is null ? given.Topic : options.Entity ?? given.Topic,
            ArchiveContainer = options.ArchiveContainer ?? given.ArchiveContainer,
            CheckpointContainer = options.CheckpointContainer ?? given.CheckpointContainer,
            DeadLetterContainer = options.DeadLetterContainer ?? given.DeadLetterContainer,
        };
        var problems = ProblemsOf(renamed.ArchiveContainer, renamed.CheckpointContainer, renamed.DeadLetterContainer).ToList();
        return problems.Count > 0 ? throw new UsageException(problems) : renamed;
    }

    private static IEnumerable<string> ProblemsOf(string archive, string checkpoints, string deadLetters) =>
        ContainerNames.Problems([("--archive-container", archive), ("--checkpoint-container", checkpoints), ("--deadletter-container", deadLetters)]);
}
