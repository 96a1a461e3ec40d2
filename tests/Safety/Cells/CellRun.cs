using EventHubThroughput.Journal;
using EventHubThroughput.Verification;

namespace EventHubThroughput.Safety.Cells;

/// <summary>Runs one cell from the first process to the verdict: fill, inject, consume, heal, consume again, judge.</summary>
internal static class CellRun
{
    private static readonly TimeProvider Clock = TimeProvider.System;

    public static async Task<CellOutcome> RunAsync(Cell cell, CancellationToken cancellationToken)
    {
        var began = Clock.GetTimestamp();
        using var limit = new CancellationTokenSource(cell.Row.Limit + TimeSpan.FromSeconds(60), Clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        await using var stage = new Stage(cell);
        try
        {
            var facts = await RunAsync(stage, either.Token);
            return new CellOutcome(cell, facts.Last.ExitCode, facts.Verdict, CellJudge.Judge(facts), Clock.GetElapsedTime(began));
        }
        catch (Exception exception) when (!cancellationToken.IsCancellationRequested)
        {
            var printed = string.Join(" | ", stage.Ended.Select(static finished => LastLines(finished.Error)));
            return new CellOutcome(
                cell,
                stage.Ended.Count > 1 ? stage.Ended[^1].ExitCode : null,
                null,
                [.. stage.Problems, $"came to no end: {exception.GetType().Name}: {exception.Message} Last lines: {printed}"],
                Clock.GetElapsedTime(began)
            );
        }
    }

    private static string LastLines(string text) => string.Join('\n', text.Trim().Split('\n').TakeLast(3));

    private static async Task<CellFacts> RunAsync(Stage stage, CancellationToken cancellationToken)
    {
        var row = stage.Cell.Row;
        if (row.Prepare is { } prepare)
        {
            await stage.StartEmulatorAsync(cancellationToken, recording: false);
            await prepare(stage, cancellationToken);
            await stage.StopEmulatorAsync(cancellationToken);
        }

        await stage.StartEmulatorAsync(cancellationToken);
        if (row.Arming == Arming.BeforeTheSender)
        {
            await stage.Administration.ArmAsync(row.Faults, cancellationToken);
        }

        await row.Sends(stage, cancellationToken);
        if (row.Arming == Arming.BeforeTheConsumer)
        {
            await stage.Administration.ArmAsync(row.Faults, cancellationToken);
        }

        var arming = row.Arming == Arming.MidRun ? ArmMidRunAsync(stage, cancellationToken) : Task.CompletedTask;
        var last = await row.Script(stage, cancellationToken);
        await arming;
        if (stage.Cell.Expected is { Exit: not 0, Verdict: Standing.Clean })
        {
            await HealAsync(stage, cancellationToken);
        }

        await stage.StopEmulatorAsync(cancellationToken);
        return new CellFacts(stage, last, Judge(stage));
    }

    private static async Task ArmMidRunAsync(Stage stage, CancellationToken cancellationToken)
    {
        await stage.ArchivedAsync(0.1 + (0.5 * stage.Cell.Draw(1)), cancellationToken);
        await stage.Administration.ArmAsync(stage.Cell.Row.Faults, cancellationToken);
    }

    // After any end of the run, the next one must bring it to a clean end when the cause is gone.
    private static async Task HealAsync(Stage stage, CancellationToken cancellationToken)
    {
        if (stage.Cell.Row.Heal is { } heal)
        {
            await heal(stage, cancellationToken);
        }

        await stage.Administration.DisarmAsync(cancellationToken);
        var healed = await stage.ConsumePlainlyAsync(cancellationToken);
        stage.Expect(healed.ExitCode == 0, $"healed, it ended with {healed.ExitCode}: {healed.Error.Trim()}");
    }

    private static Verdict Judge(Stage stage) =>
        Verifier.Judge(
            LedgerFile.Open(stage.Ledger),
            JournalFile.Open(stage.Journal),
            new VerificationScope
            {
                Hub = stage.Settings["EVENTHUB_NAME"],
                Group = "$Default",
                MessageEntity = "queue",
                ArchiveContainer = "archive",
                CheckpointContainer = "checkpoints",
                DeadLetterContainer = "deadletters",
                Promise = stage.Cell.Promise,
                Run = Stage.Run,
            }
        );
}
