using EventHubThroughput.Clients;
using EventHubThroughput.Events;
using EventHubThroughput.Journal;
using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Running;
using EventHubThroughput.Processing;
using EventHubThroughput.Settings;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Running;

/// <summary>What handlers acknowledge, and when a checkpoint is sent, as a run of handlers alone records it.</summary>
public sealed class HandlerRecordTests : IDisposable
{
    private readonly string folder = Directory.CreateTempSubdirectory("eht-").FullName;

    private string FilePath => HandlerRecord.GetPath(folder, "run");

    public void Dispose() => Directory.Delete(folder, recursive: true);

    [Fact]
    public void It_is_needed_for_handlers_alone()
    {
        Assert.True(HandlerRecord.IsNeeded(GetOptions(Of(static _ => ValueTask.CompletedTask))));
        Assert.False(HandlerRecord.IsNeeded(GetOptions(Of(static _ => ValueTask.CompletedTask), SinkCatalog.All[0])));
    }

    [Fact]
    public async Task An_acknowledgement_is_in_the_file_before_the_caller_continues()
    {
        using var record = Open();
        var handled = new TaskCompletionSource();
        var write = Create(record, Of(_ => new ValueTask(handled.Task))).WriteAsync(GetEvent(7), CancellationToken.None);
        Assert.Empty(HandlerRecord.Read(FilePath));

        handled.SetResult();
        await write;

        Assert.Equal([new Acknowledgement(1, "0", 7, "mine")], HandlerRecord.Read(FilePath));
    }

    [Fact]
    public async Task A_failure_is_not_recorded_as_an_acknowledgement()
    {
        using var record = Open();
        var sink = Create(record, Of(static _ => throw new InvalidOperationException("refused")));

        await Assert.ThrowsAsync<InvalidOperationException>(() => sink.WriteAsync(GetEvent(7), CancellationToken.None).AsTask());

        Assert.Empty(HandlerRecord.Read(FilePath));
    }

    [Fact]
    public async Task Of_several_events_those_are_recorded_that_were_acknowledged()
    {
        using var record = Open();
        var sink = Create(record, new SinkDescriptor("mine", "Several.", static _ => new EveryOther()));

        await ((IBatchSink<ReceivedEvent>)sink).WriteBatchAsync([GetEvent(1), GetEvent(2), GetEvent(3)], CancellationToken.None);

        Assert.Equal([1L, 3L], HandlerRecord.Read(FilePath).Select(static line => line.Sequence));
    }

    [Fact]
    public void A_checkpoint_is_recorded_when_it_is_sent_and_other_writes_are_not()
    {
        using var record = Open();
        List<OperationStep> next = [];
        var observe = record.Observe(next.Add);
        var metadata = new Dictionary<string, string>(StringComparer.Ordinal) { ["sequencenumber"] = "41" };
        OperationStep[] steps =
        [
            new(OperationMoment.OnTheWire, "checkpoints", "ns/hub/group/checkpoint/3", metadata),
            new(OperationMoment.Answered, "checkpoints", "ns/hub/group/checkpoint/3", metadata),
            new(OperationMoment.OnTheWire, "checkpoints", "ns/hub/group/ownership/3", metadata),
            new(OperationMoment.OnTheWire, "archive", "ns/hub/group/checkpoint/3", metadata),
            new(OperationMoment.OnTheWire, "queue"),
        ];

        Array.ForEach(steps, step => observe(step));

        Assert.Equal([new Acknowledgement(1, "3", 41, null)], HandlerRecord.Read(FilePath));
        Assert.Equal(steps, next);
    }

    [Fact]
    public void A_file_of_another_kind_is_refused()
    {
        File.WriteAllText(FilePath, "mine");

        Assert.Equal(FailureCause.NotWritable, Assert.Throws<FailureException>(Open).Cause);
    }

    private HandlerRecord Open() =>
        HandlerRecord.Open(
            GetOptions(Of(static _ => ValueTask.CompletedTask)) with
            {
                Outputs = new OutputOptions { Acknowledgements = FilePath },
            },
            "checkpoints"
        )!;

    private static RunOptions GetOptions(params IReadOnlyList<SinkDescriptor> sinks) =>
        new()
        {
            Run = "run",
            Processing = new ProcessingOptions(),
            Sinks = sinks,
        };

    private static ISink<ReceivedEvent> Create(HandlerRecord record, SinkDescriptor sink) => record.Record(sink).Create(new SinkContext("hub"));

    private static SinkDescriptor Of(Func<ReceivedEvent, ValueTask> handler) => SinkDescriptor.Of((one, _) => handler(one), "mine");

    private static ReceivedEvent GetEvent(long sequence) =>
        new()
        {
            PartitionId = "0",
            SequenceNumber = sequence,
            Offset = $"{sequence}",
            EnqueuedTime = default,
            Body = default,
        };

    private sealed class EveryOther : IBatchSink<ReceivedEvent>
    {
        public string Name => "mine";

        public int LargestBatch => 10;

        public ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken) => ValueTask.CompletedTask;

        public ValueTask<IReadOnlyList<Exception?>> WriteBatchAsync(IReadOnlyList<ReceivedEvent> events, CancellationToken cancellationToken) =>
            new([.. events.Select(static one => one.SequenceNumber % 2 == 0 ? new InvalidOperationException("refused") : null)]);
    }
}
