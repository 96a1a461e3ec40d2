using EventHubThroughput.Clients;
using EventHubThroughput.CommandLine;
using EventHubThroughput.CommandLine.Logs;
using EventHubThroughput.Journal;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Verifying;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using EventHubThroughput.Telemetry.Logs;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Consumer.Verifying;

/// <summary>Opens the evidence, verifies it and reports. It ignores what a consumer reports about itself.</summary>
internal sealed class VerifyRun(VerifyOptions options, LogChoice log, MessagingSettings? settings, CommandConsole console, TimeProvider clock)
{
    private readonly ScopeChoice choice = new(options, settings);

    private (string Option, string? Path)[] Evidence =>
        [("--ledger", options.Ledger), ("--journal", options.Journal), ("--acknowledgements", options.Acknowledgements)];

    public async Task<int> RunAsync(CancellationToken cancellationToken)
    {
        VerifierMemory.Limit();
        if (options.Output is not null)
        {
            ResultFile.EnsureWritable(options.Output);
        }

        foreach (var (option, path) in Evidence)
        {
            if (path is not null && File.Exists(path) && NamedFile.GetProblem(path) is { } problem)
            {
                throw new UsageException($"{option} {path}: {problem}");
            }
        }

        var missing = Evidence
            .Where(source => source.Path is not null && !File.Exists(source.Path))
            .Select(source => $"error: {source.Option} {source.Path}: {UnreadableFile.GetReason(source.Path!)}")
            .ToList();
        if (missing.Count > 0)
        {
            missing.ForEach(console.Error.WriteLine);
            return ExitCode.VerificationFailed;
        }

        try
        {
            var ledger = LedgerFile.Open(options.Ledger);
            var runs = LedgerSurvey.Of(ledger);
            var run = runs.GetRun(options.Run);
            var hub = choice.GetHub(runs, run);
            return options.Journal is { } path
                ? Conclude(Judge(ledger, JournalFile.Open(path), hub, run))
                : await ReadBackAsync(ledger, hub, run, cancellationToken);
        }
        catch (JournalFormatException damaged)
        {
            throw new UsageException(damaged.Message);
        }
        catch (MessagingException failure)
        {
            throw new FailureException(FailureCause.Dependency, failure.Message, failure);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new FailureException(FailureCause.Verification, $"the evidence cannot be read: {exception.Message}", exception);
        }
    }

    private async Task<int> ReadBackAsync(LedgerFile ledger, string hub, string? run, CancellationToken cancellationToken)
    {
        var named = choice.Renamed(settings!, hub);
        using var logs = ProgramLog.Create(log, "consumer", console.Error);
        var clientOptions = new ClientOptions { LoggerFactory = logs, TimeProvider = clock };
        await using var clients = options.Clients.Connect(named, clientOptions);
        using var reading = new NamespaceReading(clients, named, options.Subscription, run, console.Error);
        foreach (var line in options.Clients.FirstLines(clientOptions, log.Frames))
        {
            await console.Error.WriteLineAsync(line);
        }

        await reading.RunAsync(cancellationToken);
        return Conclude(ReadBackEvidence.Limit(Judge(ledger, JournalFile.Open(reading.Journal), hub, run), named));
    }

    private JudgedRun Judge(LedgerFile ledger, JournalFile journal, string hub, string? run)
    {
        var scope = choice.Of(JournalSurvey.Of(journal, hub), hub, run);
        var verdict = Verifier.Judge(ledger, journal, scope);
        if (journal.EndsEarly)
        {
            console.Error.WriteLine($"warning: the last record of the journal is incomplete. Its first {journal.WholeBytes} bytes are read");
        }

        if (ledger.EndsEarly)
        {
            console.Error.WriteLine("warning: the ledger ends early: its sender was killed, or the file was truncated");
        }

        return new JudgedRun(verdict, scope, []);
    }

    private int Conclude(JudgedRun judged)
    {
        var code = judged.Verdict.Outcome == VerdictOutcome.Pass ? ExitCode.Done : ExitCode.VerificationFailed;
        var verdictReport = new VerdictReport(judged.Verdict, judged.Verdict.Summary, code);
        var safety = VerdictDocument.Of(verdictReport, judged.Unknown);
        if (code != ExitCode.Done)
        {
            console.Error.WriteLine($"error: {verdictReport.Line}");
        }

        var printed = console.Print(output => VerdictText.Write(judged, safety, options.Promise is not null, console.Columns, output));
        if (options.Output is { } path)
        {
            ResultFile.Write(path, ResultDocument.OfVerification(judged.Verdict.Run, code, safety, ProgramVersion.Text));
        }

        return ExitCode.Worst([code, printed]);
    }
}
