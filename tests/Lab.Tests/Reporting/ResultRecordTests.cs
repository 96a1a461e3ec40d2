using System.Text.Json;
using System.Text.Json.Nodes;
using EventHubThroughput.Lab.Measurement;
using EventHubThroughput.Lab.Reporting;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Processing;
using EventHubThroughput.Testing;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Reporting;

/// <summary>
/// Result files as they were first written, name by name and value by value, in <c>Recorded</c>. Readers of results rely on that. After a planned
/// change, <c>EHT_APPROVE=1</c> writes them again. The facts of the machine are left out.
/// </summary>
public sealed class ResultRecordTests : IDisposable
{
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true, NewLine = "\n" };

    private static readonly Verdict Judged = new()
    {
        Outcome = VerdictOutcome.Fail,
        Run = "one",
        Attempted = 601,
        Acknowledged = 600,
        Delivered = 599,
        Complete = 598,
        DeadLettered = 2,
        Lost = 3,
        Recovered = 4,
        Unexpected = 5,
        Corrupt = 6,
        DuplicateServiceBus = 7,
        DuplicateBlob = 8,
        Repeated = 9,
        OrderStartPartition = 10,
        OrderStartKey = 11,
        OrderEndPartition = 12,
        OrderEndKey = 13,
        OverlapPartition = 14,
        OverlapKey = 15,
        Checkpoints = 16,
        CheckpointAhead = 17,
        CheckpointRegressionWithin = 18,
        CheckpointRegressionAcross = 19,
        Replayed = 20,
        ReplayExact = 21,
        ReplayBound = 22,
        Expired = 23,
        Accounting = 24,
        Charges = [new Charge("lost", 3, "partition 0 sequence 1: not in the queue")],
        Finished = true,
        Reasons = ["the journal ends early"],
        NotJudged = ["orderEndKey"],
    };

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("records-");

    [Fact]
    public Task A_run_of_which_everything_is_known() =>
        HoldsAsync(
            "run",
            path =>
                ResultFile.Write(
                    path,
                    ResultDocument.Of(Whole() with { VerdictReport = new VerdictReport(Judged, Judged.Summary, 3) { Unjudged = ["audit"] } }, "1.2.3+abc")
                )
        );

    [Fact]
    public Task A_run_of_which_nothing_was_measured_or_judged() =>
        HoldsAsync(
            "bare-run",
            path =>
                ResultFile.Write(
                    path,
                    ResultDocument.Of(
                        Reports.Of("baseline") with
                        {
                            Options = Reports.Of("baseline").Options with { Load = null },
                            Figures = Reports.Unmeasured,
                            VerdictReport = VerdictReport.NothingNamed,
                            Backlog = null,
                            Prediction = null,
                        },
                        "1.2.3"
                    )
                )
        );

    [Fact]
    public Task A_verification_that_does_not_know_everything() =>
        HoldsAsync(
            "verification",
            path =>
            {
                var verdict = Judged with { Outcome = VerdictOutcome.Undecided, Run = null, ReplayBound = null };
                var safety = VerdictDocument.Of(new VerdictReport(verdict, verdict.Summary, 3), ["overlapKey", "orderStartKey"]);
                ResultFile.Write(path, ResultDocument.OfVerification(verdict.Run, 3, safety, "1.2.3+abc"));
            }
        );

    public void Dispose() => folder.Delete(recursive: true);

    private static RunReport Whole()
    {
        var report = Reports.Of("outloop");
        var figures = report.Figures with
        {
            Claim = TimeSpan.FromMilliseconds(1234),
            WarmUp = TimeSpan.FromMilliseconds(567),
            MeanEventsInFlight = 1.25,
            Sample = new SampledEvents
            {
                Partition = "0",
                Events =
                [
                    new SampledEvent
                    {
                        Sequence = 100,
                        ReceivedMs = 0,
                        HandedOverMs = 0.25,
                        BegunMs = 0.5,
                        Writes = new Dictionary<string, SampledSpan>
                        {
                            ["servicebus"] = new() { FromMs = 0.5, ToMs = 18.5 },
                        },
                        CompletedMs = null,
                        BatchEndedMs = null,
                    },
                ],
                Checkpoints = [new SampledSpan { FromMs = -1.5, ToMs = 7.125 }],
            },
            Drain = TimeSpan.FromMilliseconds(89),
            CpuBetween = static (from, to) => (to - from) / 8,
            Sinks = [("servicebus", new SinkErrorCounts(21, 4, 5, 3, 2, 1)), ("blob", new SinkErrorCounts(10, 0, 0, 0, 0, 0))],
            DeadLettered = 32,
            LateCompletions = 33,
            ConsumerPeakBytes = 34_000_000,
            EmulatorPeakBytes = 35_000_000,
            Sender = new ProcessUsage(TimeSpan.FromMilliseconds(360), 40_000_000) { Lived = TimeSpan.FromSeconds(1.5) },
            Memory = new MemoryFigures(33_000_000, 34_500_000),
            LongestGcPause = TimeSpan.FromMilliseconds(1.5),
            Handles = 41,
            ThreadPool = new ThreadPoolFigures(6.5, 9, 42, 7),
        };
        return report with
        {
            Figures = figures,
            End = ProcessingEnd.Faulted,
            Faults = [new ProcessingFault(ProcessingFaultKind.DrainLimit, "it took <too> long")],
            RepeatedBlobs = 37,
            BlockedEvents = 38,
            Options = report.Options with
            {
                Processing = report.Options.Processing with
                {
                    OnPoison = PoisonPolicy.DeadLetter,
                    Window = 64,
                    ReplayLimit = 500,
                    Checkpoints = CheckpointOptions.From(100, TimeSpan.FromSeconds(2)),
                },
                Arguments = ["run", "--strategy", "outloop", "--run", "it's mine"],
                Load = report.Options.Load! with { Faults = "F14,F17", EmulatorCeiling = 9000 },
            },
            Latencies =
            [
                new InjectedLatency
                {
                    Operation = "blobWrite",
                    AskedMeanMs = 9.35,
                    AskedSdMs = 0.5,
                    AskedSerialMs = 1,
                    Count = 600,
                    MeanMs = 11.25,
                    SdMs = 1,
                    P50Ms = 11,
                    P99Ms = 14,
                    Throttles = 2,
                },
            ],
        };
    }

    private async Task HoldsAsync(string name, Action<string> write)
    {
        var written = Path.Combine(folder.FullName, "result.json");
        write(written);
        var document = JsonNode.Parse(await File.ReadAllTextAsync(written, TestContext.Current.CancellationToken))!.AsObject();
        if (document["machine"] is JsonObject machine)
        {
            foreach (var member in machine.Select(member => member.Key).ToArray())
            {
                machine[member] = null;
            }
        }

        // The facts of this build, and the processors of this machine.
        (document["program"]!["dirty"], document["program"]!["packageLockSha256"]) = (null, null);
        foreach (var (_, process) in document["resources"]?.AsObject() ?? [])
        {
            process!["cpuPercentPerCore"] = null;
        }

        var text = document.ToJsonString(Indented) + "\n";
        var file = RepositoryFiles.GetPath("tests", "Lab.Tests", "Reporting", "Recorded", $"{name}.json");
        if (Environment.GetEnvironmentVariable("EHT_APPROVE") == "1")
        {
            await File.WriteAllTextAsync(file, text, TestContext.Current.CancellationToken);
        }

        Assert.Equal(await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken), text);
    }
}
