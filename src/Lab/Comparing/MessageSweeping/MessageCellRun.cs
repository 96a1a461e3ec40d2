using System.Diagnostics;
using System.Text.Json;
using EventHubThroughput.Lab.Embedded;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Processes;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Comparing.MessageSweeping;

/// <summary>Runs one point: feeder and drainer beside it, the processor within its limits, on separate queues.</summary>
/// <param name="plan">What is swept.</param>
/// <param name="emulator">The emulator.</param>
/// <param name="clock">The clock.</param>
internal sealed class MessageCellRun(MessageSweepPlan plan, EmbeddedEmulator emulator, TimeProvider clock)
{
    private const string Subscription = "all";

    // The load is this share of what the latencies allow to process, up to the most that may be fed.
    private const double FedShare = 1.5;
    private const double LeastShare = 1.2;
    private const double BusyPercent = 90;
    private const double ForwardedMissing = 0;
    private const int KeptErrors = 5;

    private static readonly TimeSpan Allowance = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(60);

    /// <exception cref="FailureException">The emulator has ended.</exception>
    public async Task<MessageCell> RunAsync(MessagePoint point, int number, CancellationToken cancellationToken)
    {
        using var administration = new EmulatorAdministration(emulator.Settings);
        var (input, output, subscription) = ($"in-{number}", $"out-{number}", plan.Topic ? Subscription : null);
        await administration.CreateQueueAsync(input, cancellationToken);
        await administration.CreateQueueOrTopicAsync(output, subscription, cancellationToken);
        await administration.UseProfileAsync(plan.Profile, cancellationToken);
        await using var drainer = Start(
            new WorkerOptions { Role = WorkerRole.Drain, Entity = plan.Topic ? $"{output}/Subscriptions/{Subscription}" : output },
            static command => command
        );
        await using var feeder = Start(
            new WorkerOptions
            {
                Role = WorkerRole.Feed,
                Entity = input,
                Rate = (int)Math.Clamp(Math.Ceiling(FedShare * plan.GetModel(point)), 1, plan.Rate),
            },
            static command => command
        );
        await using var processor = Start(
            new WorkerOptions
            {
                Role = WorkerRole.Forward,
                Entity = input,
                Target = output,
                Concurrency = point.Concurrency,
                Threads = point.Threads,
                MostThreads = point.IsFixed ? point.Threads : 0,
                Clients = point.Clients,
                Work = plan.Work,
                WarmUp = plan.WarmUp,
                Length = plan.Length,
            },
            command => LimitedProcess.Within(GetBuild(command, point.Build), point)
        );
        var guarding = LimitedProcess.GuardAsync(processor, point.MemoryBytes, clock);
        var (report, others) = await MeasureAsync(processor, [emulator.Process.Process, feeder.Process, drainer.Process], cancellationToken);
        var fed = await EndAsync(feeder);
        var drained = await EndAsync(drainer);
        var failure =
            processor.HasEnded && await guarding ? $"killed-memory: above {point.MemoryGib} GiB"
            : report is null ? $"its processor ended: {LastErrors(processor)}"
            : fed is null ? $"its feeder ended: {LastErrors(feeder)}"
            : drained is null ? $"its drainer ended: {LastErrors(drainer)}"
            : report.Completed == 0 ? $"its processor completed none of {fed.Messages} messages in {report.Seconds:0.#} s"
            : null;
        var latencies = await administration.ReadLatenciesAsync(cancellationToken);
        await administration.DeleteQueueAsync(input, cancellationToken);
        await administration.DeleteQueueOrTopicAsync(output, subscription, cancellationToken);
        return failure is null
            ? GetCell(point, report!, fed!, drained!, others, latencies)
            : new MessageCell
            {
                Point = point,
                Failure = failure,
                Bounds = [],
                ModelPerS = plan.GetModel(point),
            };
    }

    private MessageCell GetCell(
        MessagePoint point,
        WorkerReport report,
        WorkerReport fed,
        WorkerReport drained,
        double othersPercent,
        IReadOnlyList<InjectedLatency> latencies
    )
    {
        var rate = report.Completed / report.Seconds;
        var input = fed.Messages / fed.Seconds;
        var backlog = fed.Messages - report.Messages;
        var machine = Environment.ProcessorCount;
        List<string> bounds = [];
        if (backlog < point.Concurrency || input < LeastShare * rate)
        {
            bounds.Add("input");
        }

        if (othersPercent + (report.CpuMeanPercent * point.Cores / machine) > BusyPercent)
        {
            bounds.Add("emulator");
        }

        if (latencies.Any(static one => one.IsMissed))
        {
            bounds.Add("profile");
        }

        if (report.Messages - drained.Messages > ForwardedMissing)
        {
            bounds.Add("lost");
        }

        return new MessageCell
        {
            Point = point,
            Program = plan.Points.All(static one => one.Build is null) ? null : report.Program,
            Bounds = bounds,
            MessagesPerS = rate,
            ModelPerS = plan.GetModel(point),
            CpuMeanPercent = report.CpuMeanPercent,
            CpuMaxPercent = report.CpuMaxPercent,
            OthersCpuPercent = othersPercent,
            PeakRssBytes = report.PeakRssBytes,
            LocksLost = report.LocksLost,
            Abandoned = report.Abandoned,
            MostHandling = report.MostHandling,
            MostThreads = report.MostThreads,
            LeastThreads = report.LeastThreads,
            MostWaiting = report.MostWaiting,
            ProcessorCountSeen = report.ProcessorCount,
            HeapLimitBytes = report.HeapLimitBytes,
            InputPerS = input,
            BacklogLeft = backlog,
            Forwarded = report.Messages,
            Drained = drained.Messages,
            SendMeanMs = latencies.FirstOrDefault(static one => one.Operation == "messageSend")?.MeanMs,
            SettleMeanMs = latencies.FirstOrDefault(static one => one.Operation == "messageSettle")?.MeanMs,
        };
    }

    // The use of the other processes is read between the two lines of the measured one.
    private async Task<(WorkerReport? Report, double OthersPercent)> MeasureAsync(
        RunningProcess processor,
        IReadOnlyList<Process> others,
        CancellationToken cancellationToken
    )
    {
        using var limit = new CancellationTokenSource(plan.WarmUp + plan.Length + Allowance, clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        try
        {
            if (await processor.ReadLineAsync(either.Token) != MessageWorker.Measuring)
            {
                return (null, 0);
            }

            var (begun, used) = (clock.GetTimestamp(), GetCpu(others));
            if (await processor.ReadLineAsync(either.Token) is not { } line)
            {
                return (null, 0);
            }

            // The drain of the measured process is part of this time, and is short compared with it.
            var share = (GetCpu(others) - used) / clock.GetElapsedTime(begun);
            processor.CloseInput();
            await processor.Ended.WaitAsync(either.Token);
            return (JsonSerializer.Deserialize(line, MessageSweepContext.Default.WorkerReport), 100 * share / Environment.ProcessorCount);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return (null, 0);
        }
    }

    private async Task<WorkerReport?> EndAsync(RunningProcess worker)
    {
        using var limit = new CancellationTokenSource(EndLimit, clock);
        try
        {
            worker.CloseInput();
            var line = await worker.ReadLineAsync(limit.Token);
            return line is null ? null : JsonSerializer.Deserialize(line, MessageSweepContext.Default.WorkerReport);
        }
        catch (Exception exception) when (exception is OperationCanceledException or IOException)
        {
            return null;
        }
    }

    private static ProcessCommand GetBuild(ProcessCommand command, string? folder) =>
        folder is null ? command : command with { File = ProcessCommand.GetFile(Path.GetFullPath(folder), command.Name) };

    private RunningProcess Start(WorkerOptions options, Func<ProcessCommand, ProcessCommand> within) =>
        RunningProcess.Start(
            within(
                ProcessCommand.OfProgram("consumer", options.Arguments) with
                {
                    Variables = emulator.Settings,
                    IsReadByLine = true,
                    KeptErrors = KeptErrors,
                    Clock = clock,
                }
            )
        );

    private static TimeSpan GetCpu(IEnumerable<Process> processes) =>
        processes.Aggregate(TimeSpan.Zero, static (sum, one) => sum + (ProcessUsage.Of(one)?.Cpu ?? TimeSpan.Zero));

    private static string LastErrors(RunningProcess process) => process.LastErrors() is { Count: > 0 } lines ? string.Join(" | ", lines) : "no output";
}
