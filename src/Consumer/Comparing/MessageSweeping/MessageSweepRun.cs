using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using EventHubThroughput.Clients.Azure;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Lab.Comparing;
using EventHubThroughput.Lab.Comparing.MessageSweeping;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Consumer.Comparing.MessageSweeping;

/// <summary>Runs a processor sweep: starts one emulator, then runs cell after cell and stores each when it has ended.</summary>
internal sealed class MessageSweepRun(MessageSweepPlan plan, CommandConsole console, StopSignals signals, TimeProvider clock)
{
    private const int UsualWidth = 200;
    private const int MemoryMebibytes = 4_096;

    // Estimated time of a cell in addition to its measurement.
    private static readonly TimeSpan Around = TimeSpan.FromSeconds(6);

    private static readonly JsonSerializerOptions Form = new(MessageSweepContext.Default.Options)
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        WriteIndented = true,
    };

    private readonly List<MessageCell> cells = [.. (plan.Earlier?.Cells ?? []).Where(static cell => cell.MessagesPerS is not null)];
    private readonly DateTimeOffset startedUtc = plan.Earlier?.Sweep.StartedUtc ?? clock.GetUtcNow();

    public async Task<int> RunAsync()
    {
        if (plan.Output is { } output)
        {
            ResultFile.EnsureWritable(output);
        }

        if (plan.Report is { } report)
        {
            ResultFile.EnsureReportWritable(report);
        }

        var left = plan.Left;
        await console.Error.WriteLineAsync(
            Text(
                $"sweep: {left.Count} of {plan.Points.Count} cells of {plan.WarmUp.TotalSeconds:0.#} + {plan.Length.TotalSeconds:0.#} s on profile {plan.Profile}, about {GetLeft(left.Count, UsualTime)}"
            )
        );
        var complete = left.Count == 0 || await RunCellsAsync(left);
        var result = GetResult(complete);
        var code = console.Print(text => MessageSweepReports.Write(result, UsualWidth, text));
        return ExitCode.Worst([code, .. Keep(result, withReport: true), GetCode(result)]);
    }

    private static int GetCode(MessageSweepResult result) =>
        result.Cells.Any(static cell => cell.Bounds.Contains("lost")) ? ExitCode.VerificationFailed
        : !result.Sweep.Complete ? ExitCode.Interrupted
        : result.Cells.All(static cell => cell.MessagesPerS is null) ? ExitCode.Dependency
        : ExitCode.Done;

    private TimeSpan UsualTime => plan.WarmUp + plan.Length + Around;

    private async Task<bool> RunCellsAsync(IReadOnlyList<MessagePoint> left)
    {
        var id = $"sweep-{Guid.NewGuid().ToString("n")[..8]}";
        await using var emulator = await EmbeddedEmulator.StartAsync(
            [
                "--exit-with-stdin",
                "--hub",
                $"hub-{id}",
                "--queue",
                $"queue-{id}",
                "--profile",
                plan.Profile,
                "--memory-limit",
                MemoryMebibytes.ToString(CultureInfo.InvariantCulture),
            ],
            new Dictionary<string, string>(StringComparer.Ordinal),
            plan.StartLimit,
            clock,
            signals.First
        );
        var runs = new MessageCellRun(plan, emulator, clock);
        var begun = clock.GetTimestamp();
        for (var number = 0; number < left.Count; number++)
        {
            try
            {
                cells.Add(await runs.RunAsync(left[number], number, signals.First));
            }
            catch (OperationCanceledException) when (signals.First.IsCancellationRequested)
            {
                return false;
            }

            var over = number + 1;
            var each = clock.GetElapsedTime(begun) / over;
            await console.Error.WriteLineAsync(Line(cells[^1], over, left.Count, over < left.Count ? $"  {GetLeft(left.Count - over, each)} left" : ""));
            Keep(GetResult(complete: over == left.Count), withReport: false);
        }

        return true;
    }

    private MessageSweepResult GetResult(bool complete)
    {
        var finished = plan.Left.Count == 0 ? plan.Earlier : null;
        MessageCell[] ordered = [.. cells.OrderBy(cell => IndexOf(cell.Point))];
        return new MessageSweepResult
        {
            Sweep = new MessageSweepHeader
            {
                Schema = 1,
                Scenario = MessageSweepHeader.Name,
                StartedUtc = startedUtc,
                Arguments = plan.Arguments,
                LimitMethod = LimitedProcess.Method,
                Profile = plan.Profile,
                MeasureS = plan.Length.TotalSeconds,
                WarmUpS = plan.WarmUp.TotalSeconds,
                BlockMs = plan.Work.Block.TotalMilliseconds,
                Complete = complete,
            },
            // Where no cell is run, the figures are still those of the build and machine that measured them.
            Program = finished?.Program ?? DescribeProgram(),
            Machine = finished?.Machine ?? ResultDocument.Machine(),
            Sentences = MessageSweepSentences.Of(ordered),
            Cells = ordered,
        };
    }

    private ProgramDetails DescribeProgram()
    {
        var families = ClientFamilies.All.Where(family => plan.Points.Any(point => point.Clients == family.Name)).ToList();
        return ResultDocument.DescribeProgram(ProgramVersion.Text, families[0]) with
        {
            Clients = string.Join(',', families.Select(static family => family.Name)),
        };
    }

    private int IndexOf(MessagePoint point) => plan.Points.Select((known, place) => (known, place)).FirstOrDefault(one => one.known == point).place;

    private IReadOnlyList<int> Keep(MessageSweepResult result, bool withReport)
    {
        var files = new WrittenFiles(console.Error);
        files.Write(plan.Output, path => ResultFile.WriteResult(path, JsonSerializer.SerializeToUtf8Bytes(result, Form)), withReport ? "data" : null);
        if (withReport)
        {
            files.Write(plan.Report, path => ResultFile.Write(path, MessageSweepReports.Of(ReportFormats.Of(path) ?? ReportFormat.Html, result)), "report");
            if (plan.Output is { } file && !result.Sweep.Complete)
            {
                console.Error.WriteLine($"again: consumer sweep --scenario {MessageSweepHeader.Name} --resume {file}");
            }
        }

        return files.Codes;
    }

    private static string Line(MessageCell cell, int over, int of, string left) =>
        Text(
            $"  [{over}/{of}] {cell.Point}: {(cell.MessagesPerS is { } rate ? Text($"{rate:0.0} messages/s, CPU {cell.CpuMeanPercent:0} % per core") : cell.Failure)}{(cell.Bounds.Count > 0 ? $" ({string.Join(", ", cell.Bounds)}-bound)" : "")}{left}"
        );

    private static string GetLeft(int count, TimeSpan each)
    {
        var time = each * count;
        return time < TimeSpan.FromMinutes(2) ? Text($"{Math.Ceiling(time.TotalSeconds):0} s") : Text($"{Math.Ceiling(time.TotalMinutes):0} min");
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
